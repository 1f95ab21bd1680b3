/** Kinds of inodes as the bits of `st_mode`. */

import { constants } from "node:fs";
import type { Attr, NodeKind } from "@cloudflare/dofs";

const BITS: Readonly<Record<NodeKind, number>> = {
  file: constants.S_IFREG,
  dir: constants.S_IFDIR,
  symlink: constants.S_IFLNK,
  fifo: constants.S_IFIFO,
  socket: constants.S_IFSOCK,
  char: constants.S_IFCHR,
  block: constants.S_IFBLK,
};
const KINDS = new Map(Object.entries(BITS).map(([kind, bits]) => [bits, kind as NodeKind]));

/** Kind and permissions of an inode in one number. */
export function modeOf({ kind, mode }: Pick<Attr, "kind" | "mode">): number {
  return BITS[kind] | mode;
}

/** The kind that a mode names; a regular file where it names none. */
export function kindOf(mode: number): NodeKind {
  return KINDS.get(mode & constants.S_IFMT) ?? "file";
}

/** Trees: the entries of a directory as git keeps them. */

import { Buffer } from "node:buffer";
import { compareNames } from "@cloudflare/dofs";
import { bytesOfOid, hexOf, OID_BYTES, viewOf } from "./object-id.ts";

export interface TreeEntry {
  /** As a number: 0o40000, 0o100644, 0o100755, 0o120000 or 0o160000. */
  readonly mode: number;
  readonly name: string;
  readonly oid: string;
}

export const DIRECTORY = 0o40000;
export const REGULAR = 0o100644;
export const EXECUTABLE = 0o100755;
export const SYMLINK = 0o120000;
export const GITLINK = 0o160000;

export function typeOfMode(mode: number): "blob" | "tree" | "commit" {
  if (mode === DIRECTORY) return "tree";
  return mode === GITLINK ? "commit" : "blob";
}

/** A mode in the six digits in which git prints it. */
export function modeText(mode: number): string {
  return mode.toString(8).padStart(6, "0");
}

export function parseTree(data: Uint8Array): TreeEntry[] {
  const bytes = viewOf(data);
  const entries: TreeEntry[] = [];
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at);
    const nul = bytes.indexOf(0, space);
    if (space < 0 || nul < 0 || nul + OID_BYTES >= bytes.length + 1) throw new Error("a tree is cut short");
    entries.push({
      mode: Number.parseInt(bytes.toString("latin1", at, space), 8),
      name: bytes.toString("utf8", space + 1, nul),
      oid: hexOf(bytes, nul + 1),
    });
    at = nul + 1 + OID_BYTES;
  }
  return entries;
}

/** The bytes of a tree of these entries, in git's order. */
export function treeBytes(entries: readonly TreeEntry[]): Uint8Array {
  const sorted = entries.toSorted((a, b) => compareNames(orderName(a), orderName(b)));
  const parts = sorted.flatMap(({ mode, name, oid }) => [
    Buffer.from(`${mode.toString(8)} ${name}\0`),
    bytesOfOid(oid),
  ]);
  return Buffer.concat(parts);
}

/** A directory is ordered as if its name ended in a slash. */
function orderName({ mode, name }: TreeEntry): string {
  return mode === DIRECTORY ? `${name}/` : name;
}

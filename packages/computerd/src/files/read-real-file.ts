/** Contents of real files, into a store. */

import { closeSync, constants, openSync, readlinkSync, readSync } from "node:fs";
import type { Ino, MemoryStore } from "@cloudflare/dofs";

const PIECE = 1 << 20;

/** Takes a file's contents over, unless the inode has them already. */
export function readInto(store: MemoryStore, ino: Ino, path: Buffer): void {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (sameContents(store, ino, file)) return;
    const stage = store.stage();
    for (const bytes of pieces(file)) stage.append(bytes);
    store.replace(ino, stage);
  } finally {
    closeSync(file);
  }
}

/** The target of a real link. */
export function readTarget(path: Buffer): string {
  return readlinkSync(path, "utf8");
}

function sameContents(store: MemoryStore, ino: Ino, file: number): boolean {
  const { size } = store.getattr(ino);
  let at = 0;
  for (const bytes of pieces(file)) {
    const here = store.read(ino, at, bytes.length);
    if (!(here instanceof Uint8Array) || Buffer.compare(here, bytes) !== 0) return false;
    at += bytes.length;
  }
  return at === size;
}

function* pieces(file: number): Generator<Buffer> {
  for (let at = 0; ; ) {
    const bytes = Buffer.allocUnsafe(PIECE);
    const length = readSync(file, bytes, 0, PIECE, at);
    if (length === 0) return;
    at += length;
    yield bytes.subarray(0, length);
  }
}

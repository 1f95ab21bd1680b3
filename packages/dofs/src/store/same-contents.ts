/** Whether a file here already has the contents that an entry tells. */

import type { ChangeEntry } from "../changes.ts";
import type { InodeRow, Rows } from "./rows.ts";

export function sameContents(rows: Rows, row: InodeRow, entry: ChangeEntry & { kind: "file" }): boolean {
  if (row.size !== entry.size) return false;
  const here = rows.contents.describe(row);
  if (here.data !== undefined && entry.data !== undefined) return equalBytes(here.data, entry.data);
  if (here.data !== undefined || entry.data !== undefined || here.chunks.length !== entry.chunks.length) return false;
  return here.chunks.every((chunk, i) => equalBytes(chunk.hash, entry.chunks[i]!.hash));
}

function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

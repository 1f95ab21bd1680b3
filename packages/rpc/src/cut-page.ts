/** Reads a page of changes whose entries name no more than so many bytes of contents. */

import type { ChangeCursor, ChangeEntry, ChangeLimits, ChangePage, InodeStore } from "@cloudflare/dofs";

/** Limits of a page, with one on the bytes of contents that its entries name by hash. */
export interface PageLimits extends ChangeLimits {
  readonly contents?: number;
}

/** A page within the limits; an entry that alone is over `contents` comes alone. */
export function cutPage(store: InodeStore, after: ChangeCursor, limits: PageLimits): ChangePage {
  const { contents, ...rest } = limits;
  const page = store.changes(after, rest);
  if (contents === undefined) return page;
  let total = 0;
  for (const [index, entry] of page.entries.entries()) {
    total += chunkBytes(entry);
    if (total > contents && index > 0) return store.changes(after, { ...rest, entries: index });
  }
  return page;
}

/** The bytes of contents that an entry names by hash. */
export function chunkBytes(entry: ChangeEntry): number {
  if (entry.kind !== "file") return 0;
  return entry.chunks.reduce((sum, chunk) => sum + chunk.size, 0);
}

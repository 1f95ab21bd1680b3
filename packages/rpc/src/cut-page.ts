/** Reads a page of changes whose entries name no more than so many bytes of contents. */

import type { ChangeCursor, ChangeEntry, ChangeLimits, ChangePage, InodeStore } from "@cloudflare/dofs";
import { IgnoredPaths } from "./ignored-paths.ts";

/** Limits of a page, with one on the bytes of contents that its entries name by hash. */
export interface PageLimits extends ChangeLimits {
  readonly contents?: number;
  /** Paths under `root` that are left out, as {@link IgnoredPaths} reads them. */
  readonly ignore?: readonly string[];
}

/** Pages of nothing but ignored paths that one call passes over before it gives an empty one. */
const MOST_EMPTY = 20;

/** A page within the limits; an entry that alone is over `contents` comes alone. */
export function cutPage(store: InodeStore, after: ChangeCursor, limits: PageLimits): ChangePage {
  const { ignore = [], root = "/" } = limits;
  if (ignore.length === 0) return onePage(store, after, limits);
  const ignored = new IgnoredPaths(ignore, root);
  let page = onePage(store, after, limits, ignored);
  let { reset } = page;
  const refused = [...(page.refused ?? [])];
  for (let empty = 1; page.entries.length === 0 && !page.done && empty < MOST_EMPTY; empty++) {
    page = onePage(store, page.cursor, limits, ignored);
    reset ||= page.reset;
    refused.push(...(page.refused ?? []));
  }
  return { ...page, reset, refused: refused.filter(({ path }) => !ignored.has({ kind: "file", path })) };
}

function onePage(store: InodeStore, after: ChangeCursor, limits: PageLimits, ignored?: IgnoredPaths): ChangePage {
  const { contents = Number.POSITIVE_INFINITY, ignore: _, ...rest } = limits;
  const page = store.changes(after, rest);
  const shown = ignored === undefined ? page.entries : ignored.without(page.entries, store);
  let total = 0;
  for (const [index, entry] of shown.entries()) {
    total += chunkBytes(entry);
    if (total <= contents || index === 0) continue;
    const cut = page.entries.findIndex(({ path, rev }) => path === entry.path && rev === entry.rev);
    const shorter = store.changes(after, { ...rest, entries: cut });
    return { ...shorter, entries: ignored === undefined ? shorter.entries : ignored.without(shorter.entries, store) };
  }
  return { ...page, entries: shown };
}

/** The bytes of contents that an entry names by hash. */
export function chunkBytes(entry: ChangeEntry): number {
  if (entry.kind !== "file") return 0;
  return entry.chunks.reduce((sum, chunk) => sum + chunk.size, 0);
}

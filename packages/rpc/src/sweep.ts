/** Removes what a peer no longer has, once its whole tree has been received anew. */

import { type ChangeEntry, START } from "@cloudflare/dofs";
import type { StoreFacade } from "./store-facade.ts";

export interface Sweep {
  readonly peer: string;
  readonly root: string;
  /** The newest revision of this store that the peer has seen; what changed later is left alone. */
  readonly base: number;
}

const PAGE = 1_000;

/** Deletes every path under the root that is not in `present` and that the peer has seen. */
export async function sweepStale(store: StoreFacade, present: ReadonlySet<string>, sweep: Sweep): Promise<void> {
  const { peer, root, base } = sweep;
  const stale: ChangeEntry[] = [];
  for (let after = START; ; ) {
    const page = await store.changes(after, { entries: PAGE, root });
    for (const { kind, path, rev } of page.entries) {
      if (kind !== "delete" && !present.has(path)) stale.push({ kind: "delete", path, rev });
    }
    if (page.done) break;
    after = page.cursor;
  }
  if (stale.length > 0) await store.apply(stale, { peer, root, keepSince: base });
}

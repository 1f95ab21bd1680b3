/** Daemons that misbehave in one way each. */

import type { ChangeEntry, InodeStore } from "@cloudflare/dofs";
import { type DaemonRPC, localFacade, type PageRequest, type PulledPage, SyncServer } from "../src/index.ts";
import { daemonOf } from "./link.ts";

const file = { kind: "file", rev: 1, mode: 0o644, mtime: 1, size: 1, chunks: [], data: new Uint8Array([1]) } as const;

/** What a page of a broken or hostile computer may have in it. */
const POISON: unknown[] = [
  { ...file, path: "../etc/passwd" },
  { ...file, path: "/workspace/../etc/passwd" },
  { ...file, path: "/etc/passwd" },
  { ...file, path: "/workspace/odd", mode: "all" },
  null,
  { ...file, path: "/workspace/lost", size: 5, data: undefined, chunks: [{ hash: new Uint8Array(32), size: 5 }] },
];

/** Puts poison before the entries of each page that has any. */
export function poisoned(store: InodeStore): DaemonRPC {
  class Poisoned extends SyncServer {
    override async pullPage(request: PageRequest): Promise<PulledPage> {
      const page = await super.pullPage(request);
      return page.entries.length === 0 ? page : { ...page, entries: [...(POISON as ChangeEntry[]), ...page.entries] };
    }

    override async readEntry(path: string): Promise<ChangeEntry | null> {
      const poison = (POISON as (ChangeEntry | null)[]).find((entry) => entry?.path === path);
      return poison ?? super.readEntry(path);
    }
  }
  return daemonOf(store, { sync: new Poisoned({ store: localFacade(store) }) });
}

/** Does something once, between answering with a page that has entries and giving their chunks. */
export function changing(store: InodeStore, change: () => void): DaemonRPC {
  let left = 1;
  class Changing extends SyncServer {
    override async pullPage(request: PageRequest): Promise<PulledPage> {
      const page = await super.pullPage(request);
      if (page.entries.length > 0 && left-- > 0) change();
      return page;
    }
  }
  return daemonOf(store, { sync: new Changing({ store: localFacade(store) }) });
}

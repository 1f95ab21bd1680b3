/** The files half of a wire in pages, over one that has streams only. */

import type { SyncPagesRPC, SyncRPC, WorkspaceRPC } from "@cloudflare/computer-rpc";
import type { ChangeEntry, Chunk } from "@cloudflare/dofs";

/** The wire as it is where it has pages, else with pages made of its streams. */
export function withPages(sync: WorkspaceRPC["sync"]): SyncRPC & SyncPagesRPC {
  return hasPages(sync) ? sync : { ...streams(sync), ...pages(sync) };
}

function hasPages(sync: SyncRPC): sync is SyncRPC & SyncPagesRPC {
  // An RPC stub claims to have every member, but none as its own.
  return Object.hasOwn(sync, "pullPage");
}

function streams(sync: SyncRPC): SyncRPC {
  return {
    push: (input) => sync.push(input),
    fetchChanges: (input) => sync.fetchChanges(input),
    watermarks: (input) => sync.watermarks(input),
    readEntry: (path) => sync.readEntry(path),
    hasObjects: (hashes) => sync.hasObjects(hashes),
    fetchObjects: (hashes) => sync.fetchObjects(hashes),
    pushObjects: (objects) => sync.pushObjects(objects),
  };
}

function pages(sync: SyncRPC): SyncPagesRPC {
  return {
    async pullPage({ after, entries: limit, ignore }) {
      const { currentCursor, stream } = await sync.fetchChanges({
        after,
        ...(ignore === undefined ? {} : { ignore }),
      });
      const entries: ChangeEntry[] = [];
      // Leaving the loop cancels the rest of the stream.
      for await (const entry of stream) {
        entries.push(entry);
        if (entries.length >= limit) break;
      }
      const last = entries.at(-1);
      const done = entries.length < limit;
      const cursor = done || last === undefined ? currentCursor : { rev: last.rev, path: last.path };
      return { entries, cursor, done, reset: false, rev: currentCursor.rev };
    },
    async pushPage({ entries, cursor }) {
      const changes = streamOf(entries);
      const senderCursor = cursor ?? entries.at(-1);
      const answer = await sync.push({
        senderRev: senderCursor?.rev ?? 0,
        changes,
        ...(senderCursor === undefined ? {} : { senderCursor: { rev: senderCursor.rev, path: senderCursor.path } }),
      });
      return { applied: answer.applied ?? entries.length, refused: [], withheld: [], rev: answer.rev };
    },
    async getChunks(hashes) {
      const chunks: Chunk[] = [];
      for await (const chunk of sync.fetchObjects(hashes)) chunks.push(chunk);
      return chunks;
    },
    async putChunks(chunks) {
      await sync.pushObjects(streamOf(chunks));
    },
  };
}

function streamOf<T>(items: readonly T[]): ReadableStream<T> {
  return new ReadableStream<T>({
    start(controller) {
      for (const item of items) controller.enqueue(item);
      controller.close();
    },
  });
}

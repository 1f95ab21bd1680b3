import { env, runInDurableObject } from "cloudflare:test";
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { WorkspaceFilesystem } from "../src/filesystem/workspace-filesystem.ts";
import { Database } from "../src/sql/database.ts";
import { CHUNK_BYTES } from "../src/store/chunks.ts";
import { SqlStore } from "../src/store/sql-store.ts";
import { CountedStorage } from "./counted-storage.ts";

const MIB = 1024 * 1024;
const SIZE = 100 * MIB;
const PIECE = 64 * 1024;
const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest();

/** A piece that is like no other. */
function piece(index: number): Uint8Array {
  const bytes = new Uint8Array(PIECE);
  new DataView(bytes.buffer).setUint32(index % (PIECE - 4), index + 1);
  return bytes;
}

test("F-15 a stream of 100 MiB in and out keeps no more than a chunk and a piece alive", {
  timeout: 60_000,
}, async () => {
  await runInDurableObject(env.BARE.get(env.BARE.newUniqueId()), async (_object, state) => {
    const storage = new CountedStorage(state.storage);
    const db = new Database(storage);
    SqlStore.open(db, { sha256 });
    const fs = new WorkspaceFilesystem(db);

    let given = 0;
    let unstored = 0;
    const source = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          unstored = Math.max(unstored, given - storage.bytesBound);
          if (given === SIZE) return controller.close();
          controller.enqueue(piece(given / PIECE));
          given += PIECE;
        },
      },
      { highWaterMark: 0 },
    );
    await fs.writeFile("/f", source);
    expect((await fs.stat("/f")).size).toBe(SIZE);
    expect(unstored).toBeLessThanOrEqual(CHUNK_BYTES + PIECE);
    expect(storage.largest).toBeLessThanOrEqual(CHUNK_BYTES + 64);

    storage.largest = 0;
    const written = createHash("sha256");
    for (let at = 0; at < SIZE; at += PIECE) written.update(piece(at / PIECE));
    const read = createHash("sha256");
    let taken = 0;
    let ahead = 0;
    const reader = (await fs.readFile("/f")).getReader();
    const before = storage.bytesGiven;
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      taken += next.value.length;
      read.update(next.value);
      ahead = Math.max(ahead, storage.bytesGiven - before - taken);
    }
    expect(taken).toBe(SIZE);
    expect(read.digest("hex")).toBe(written.digest("hex"));
    expect(ahead).toBeLessThanOrEqual(2 * CHUNK_BYTES);
    expect(storage.largest).toBeLessThanOrEqual(2 * CHUNK_BYTES);
  });
});

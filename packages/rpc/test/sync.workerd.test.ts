/** Sync out of a real Durable Object: its SQLite, its WebSocket, its clock that stands still while code runs. */

import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { Database, type InodeStore, SqlStore } from "@cloudflare/dofs";
import { describe, expect, test } from "vitest";
import {
  type Carrier,
  connectDaemon,
  type DaemonSession,
  SyncDriver,
  serveDaemon,
  socketTransport,
} from "../src/index.ts";
import { clock, daemonOf, memoryStore, sha256 } from "./link.ts";
import { random } from "./random.ts";
import { find, mkdir, text, tree, write } from "./tree.ts";

const KIB = 1024;
/** Files of a large pull; the long run has ten times as many. */
const MANY = 4_400;

describe.each<Carrier>(["text", "cbor"])("a Durable Object over %s", (carrier) => {
  async function dial(computer: InodeStore): Promise<DaemonSession> {
    const { 0: client, 1: server } = new WebSocketPair();
    client.accept();
    server.accept();
    serveDaemon(socketTransport(server, carrier), daemonOf(computer));
    return connectDaemon(socketTransport(client, carrier));
  }

  function inObject(
    body: (workspace: SqlStore, driver: SyncDriver, session: DaemonSession) => Promise<void>,
    computer: InodeStore,
    object = env.BARE.get(env.BARE.newUniqueId()),
  ): Promise<void> {
    return runInDurableObject(object, async (_, state) => {
      const workspace = SqlStore.open(new Database(state.storage), { sha256, now: clock() });
      if (find(workspace, "/workspace") === undefined) mkdir(workspace, "/workspace");
      const session = await dial(computer);
      const driver = new SyncDriver({ store: workspace, rpc: session.rpc.sync, runtimeId: session.hello.runtimeId });
      // An object with an open socket cannot be evicted.
      try {
        await body(workspace, driver, session);
      } finally {
        session.close();
      }
    });
  }

  test.each([101, 256, 1_000])(
    "Y-02 %i distinct chunks in one page, in and out",
    { timeout: 180_000 },
    async (count) => {
      const computer = memoryStore(clock(1_600_000_000_000));
      const fill = (store: InodeStore, directory: string, seed: number): void => {
        mkdir(store, directory);
        for (let i = 0; i < count; i++) {
          const bytes = new Uint8Array(33 * KIB);
          new DataView(bytes.buffer).setUint32(0, seed + i);
          write(store, `${directory}/${i}`, bytes);
        }
      };
      await inObject(async (workspace, driver) => {
        await driver.pushAll();
        fill(computer, "/workspace/in", 1);
        expect(await driver.pullAll()).toMatchObject({ chunks: count, refused: [], conflicts: [] });
        expect(workspace.peer("runtime-1")!.received.rev).toBe(computer.rev());
        fill(workspace, "/workspace/out", 10_000);
        expect(await driver.pushAll()).toMatchObject({ chunks: count, refused: [], conflicts: [] });
        expect(tree(workspace)).toEqual(tree(computer));
      }, computer);
    },
  );

  test("Y-14 64 MiB go out without a stall, then one byte as one chunk", { timeout: 180_000 }, async () => {
    const computer = memoryStore(clock(1_600_000_000_000));
    await inObject(async (workspace, driver) => {
      write(workspace, "/workspace/large", random(64 * KIB * KIB));
      expect(await driver.pushAll()).toMatchObject({ chunks: 256, bytes: 64 * KIB * KIB });
      workspace.write(find(workspace, "/workspace/large")!.ino, 33_000_000, new Uint8Array([1]));
      expect(await driver.pushAll()).toMatchObject({ entries: 1, chunks: 1, bytes: 256 * KIB });
      computer.write(find(computer, "/workspace/large")!.ino, 100, new Uint8Array([2]));
      expect(await driver.pullAll()).toMatchObject({ entries: 1, chunks: 1, bytes: 256 * KIB });
      expect(tree(workspace)).toEqual(tree(computer));
      expect(driver.traffic.peakLiveBytes).toBe(4 * KIB * KIB);
    }, computer);
  });

  test("streams that the Durable Object sends do not stall", { timeout: 180_000 }, async () => {
    const computer = memoryStore();
    await inObject(async (_workspace, _driver, { rpc }) => {
      let sent = 0;
      const chunks = new ReadableStream<{ hash: Uint8Array; bytes: Uint8Array }>({
        pull(controller) {
          const bytes = random(256 * KIB, ++sent);
          controller.enqueue({ hash: sha256(bytes), bytes });
          if (sent === 64) controller.close();
        },
      });
      await rpc.sync.pushObjects(chunks);
      const hashes = Array.from({ length: 64 }, (_, i) => sha256(random(256 * KIB, i + 1)));
      expect(await rpc.sync.hasObjects(hashes)).toHaveLength(64);
    }, computer);
  });

  test("a restart of the Durable Object in the middle of a push or a pull", async () => {
    const computer = memoryStore(clock(1_600_000_000_000));
    const object = env.BARE.get(env.BARE.newUniqueId());
    const limits = { entries: 10 };
    const withLimits = (store: SqlStore, session: DaemonSession): SyncDriver =>
      new SyncDriver({ store, rpc: session.rpc.sync, runtimeId: session.hello.runtimeId, limits });
    let workspaceTree = {};
    await inObject(
      async (workspace, _, session) => {
        for (let i = 0; i < 40; i++) write(workspace, `/workspace/f${i}`, `file ${i}`);
        await withLimits(workspace, session).push().next();
      },
      computer,
      object,
    );
    await evictDurableObject(object);
    await inObject(
      async (workspace, _, session) => {
        const driver = withLimits(workspace, session);
        expect(await driver.pushAll()).toMatchObject({ entries: 30 });
        for (let i = 0; i < 40; i++) write(computer, `/workspace/g${i}`, `file ${i}`);
        await driver.pull().next();
      },
      computer,
      object,
    );
    await evictDurableObject(object);
    await inObject(
      async (workspace, driver) => {
        expect(await driver.pullAll()).toMatchObject({ entries: 30 });
        // The one tells the computer that there are no read-only roots.
        expect(await driver.pushAll()).toMatchObject({ entries: 0, bytes: 0, roundTrips: 1 });
        workspaceTree = tree(workspace);
      },
      computer,
      object,
    );
    expect(workspaceTree).toEqual(tree(computer));
  });

  test("Y-05 a pull that is left in the middle of many files goes on after a restart, and re-sends at most a page", async () => {
    const computer = memoryStore(clock(1_600_000_000_000));
    const object = env.BARE.get(env.BARE.newUniqueId());
    const left = 3;
    await inObject(
      async (workspace, driver) => {
        await driver.pushAll();
        for (let dir = 0; dir < MANY / 100; dir++) {
          mkdir(computer, `/workspace/${dir}`);
          for (let i = 0; i < 100; i++) write(computer, `/workspace/${dir}/${i}`, `file ${dir} ${i}`);
        }
        write(workspace, "/aside", "answers");
        let blocks = 0;
        for await (const progress of driver.pull()) {
          expect(progress.complete).toBe(false);
          expect(text(workspace, "/aside")).toBe("answers");
          if (++blocks === left) break;
        }
      },
      computer,
      object,
    );
    await evictDurableObject(object);
    await inObject(
      async (workspace, driver) => {
        expect(text(workspace, "/aside")).toBe("answers");
        const { entries } = await driver.pullAll();
        // A directory comes when it is made and when its last file is.
        expect(entries).toBe(MANY + (2 * MANY) / 100 - left * 1_000);
        expect(tree(workspace)).toEqual(tree(computer));
      },
      computer,
      object,
    );
  });
});

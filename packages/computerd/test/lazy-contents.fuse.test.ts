/** Commands on a real mount read contents that the workspace has not sent. */

import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CBOR_PROTOCOL, connectDaemon, LazyContents, SyncDriver } from "@cloudflare/computer-rpc";
import { MemoryStore, ROOT_INO } from "@cloudflare/dofs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { type DaemonProcess, outcome, SECRET, startDaemonProcess } from "./daemon-process.ts";

const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest();
const LARGE = 3 << 20;

let dir: string;
let daemon: DaemonProcess;

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "lazy-test-"));
  daemon = await startDaemonProcess({ MOUNT_POINT: join(dir, "mnt") });
});
afterEach(async () => {
  daemon.child.kill("SIGTERM");
  await daemon.ended;
  rmSync(dir, { recursive: true });
});

function content(seed: number): Buffer {
  const bytes = Buffer.alloc(LARGE);
  for (let at = 0; at < LARGE; at += 4) bytes.writeUInt32LE((Math.imul(at + seed, 2_654_435_761) ^ seed) >>> 0, at);
  return bytes;
}

/** A workspace with four large files. */
function workspaceOf() {
  const store = new MemoryStore({ sha256 });
  const { ino } = store.create(ROOT_INO, "workspace", { kind: "dir", mode: 0o755 });
  for (const name of ["a", "b", "c", "d"]) {
    store.create(ino, name, { kind: "file", mode: 0o644, content: content(name.charCodeAt(0)) });
  }
  return store;
}

async function connect(store: MemoryStore) {
  const contents = new LazyContents(store);
  const headers = { authorization: `Bearer ${SECRET}` };
  const socket = new WebSocket(daemon.url, CBOR_PROTOCOL, { headers });
  await once(socket, "open");
  const session = await connectDaemon(socket, { contents });
  const { runtimeId } = session.hello;
  const run = async (source: string) => outcome((await session.rpc.shell.exec({ source })).events);
  return { contents, session, run, driver: new SyncDriver({ store, rpc: session.rpc.sync, runtimeId, contents }) };
}

const sum = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

test("what is read is fetched, and nothing else; what is cut, extended or written in part is right", async () => {
  const store = workspaceOf();
  const { contents, session, run, driver } = await connect(store);
  expect(session.hello.fetches).toBe(true);
  expect(await driver.pushAll()).toMatchObject({ chunks: 0, refused: [] });
  expect((await run("ls -l | wc -l; stat -c %s a; mv d e; chmod 600 e")).stdout).toBe(`5\n${LARGE}\n`);
  expect(contents.count.bytes).toBe(0);
  expect((await run("sha256sum < a")).stdout).toContain(sum(content(97)));
  expect(contents.count.bytes).toBe(LARGE);
  const { stderr, code } = await run(
    "truncate -s 1000001 b && truncate -s 4000000 c && printf X | dd of=e bs=1 seek=300000 conv=notrunc status=none",
  );
  expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
  const moved = contents.count.chunks;
  expect(moved).toBeLessThan(12 + 4);
  expect(await driver.pullAll()).toMatchObject({ refused: [], conflicts: [] });
  expect(contents.count.chunks).toBe(moved);
  const expected = {
    b: content(98).subarray(0, 1_000_001),
    c: Buffer.concat([content(99), Buffer.alloc(4_000_000 - LARGE)]),
    e: Buffer.concat([content(100).subarray(0, 300_000), Buffer.from("X"), content(100).subarray(300_001)]),
  };
  const root = store.lookup(ROOT_INO, "workspace")!.ino;
  for (const [name, bytes] of Object.entries(expected)) {
    const { ino, size } = store.lookup(root, name)!;
    expect(sum(store.read(ino, 0, size) as Uint8Array)).toBe(sum(bytes));
    expect((await run(`sha256sum < ${name}`)).stdout).toContain(sum(bytes));
  }
  session.close();
});

test("a read goes on over the connection that follows one that broke", async () => {
  const store = workspaceOf();
  const first = await connect(store);
  await first.driver.pushAll();
  const { events } = await first.session.rpc.shell.exec({ source: "sleep 0.3; sha256sum < a", id: "read" });
  // Read until the connection breaks.
  void events.pipeTo(new WritableStream()).catch(() => {});
  first.session.close();
  await new Promise((resolve) => setTimeout(resolve, 600));
  const second = await connect(store);
  const { stdout } = await outcome((await second.session.rpc.shell.getExec({ id: "read" })).events);
  expect(stdout).toContain(sum(content(97)));
  expect(second.contents.count.bytes).toBe(LARGE);
  second.session.close();
});

test("a read-only root is read-only to commands at once, and the workspace can still change it", async () => {
  const store = workspaceOf();
  const { session, run, driver } = await connect(store);
  const root = store.lookup(ROOT_INO, "workspace")!.ino;
  const mount = store.create(root, "mount", { kind: "dir", mode: 0o755 }).ino;
  store.create(mount, "f", { kind: "file", mode: 0o644, content: Buffer.from("one") });
  store.setReadOnlyRoots(["/workspace/mount"]);
  await driver.pushAll();
  const { stderr, stdout } = await run(
    "cat mount/f; echo x > mount/f; touch mount/g; rm mount/f; mkdir mount/d; echo y > h",
  );
  expect(stdout).toBe("one");
  expect(stderr.match(/Read-only file system/g)).toHaveLength(4);
  store.setReadOnlyRoots([]);
  store.replace(store.lookup(mount, "f")!.ino, Buffer.from("two"));
  store.setReadOnlyRoots(["/workspace/mount"]);
  expect(await driver.pushAll()).toMatchObject({ refused: [] });
  expect((await run("cat mount/f h")).stdout).toBe("twoy\n");
  expect(await driver.pullAll()).toMatchObject({ entries: 1, refused: [] });
  session.close();
});

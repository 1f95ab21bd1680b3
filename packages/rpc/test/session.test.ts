/** What a session promises, over sockets in memory and over real ones, by either carrier. */

import type { AddressInfo } from "node:net";
import { FsError } from "@cloudflare/dofs";
import { afterEach, describe, expect, test, vi } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import {
  CBOR_PROTOCOL,
  ComputerError,
  type ConnectOptions,
  chooseProtocol,
  connectDaemon,
  type DaemonRPC,
  type DaemonSession,
  type ExecEvent,
  PROTOCOL_VERSION,
  type ServedSession,
  type ShellRPC,
  type SocketLike,
  serveDaemon,
} from "../src/index.ts";
import { daemonOf, memoryStore } from "./link.ts";
import { socketPair } from "./socket-pair.ts";

vi.setConfig({ testTimeout: 60_000 });

interface Connected {
  readonly session: DaemonSession;
  readonly served: ServedSession;
}

type Connect = (daemon: DaemonRPC, options?: ConnectOptions) => Promise<Connected>;

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function inMemory(protocol: string, daemon: DaemonRPC, options?: ConnectOptions): Promise<Connected> {
  const pair = socketPair(protocol);
  const served = serveDaemon(pair.server, daemon);
  const session = await connectDaemon(pair.client, options);
  cleanups.push(() => session.close());
  return { session, served };
}

async function overLoopback(protocol: string, daemon: DaemonRPC, options?: ConnectOptions): Promise<Connected> {
  const server = new WebSocketServer({
    port: 0,
    host: "127.0.0.1",
    handleProtocols: (all) => chooseProtocol(all) ?? false,
  });
  cleanups.push(() => new Promise((resolve) => server.close(resolve)));
  await new Promise((resolve) => server.once("listening", resolve));
  const served = Promise.withResolvers<ServedSession>();
  server.on("connection", (socket) => served.resolve(serveDaemon(socket, daemon)));
  const { port } = server.address() as AddressInfo;
  const socket = new WebSocket(`ws://127.0.0.1:${port}`, protocol === "" ? [] : [protocol]);
  // `protocol` is known only once the socket is open.
  await new Promise((resolve) => socket.once("open", resolve));
  expect(socket.protocol).toBe(protocol);
  const session = await connectDaemon(socket, options);
  cleanups.push(() => session.close());
  return { session, served: await served.promise };
}

const WAYS: [string, Connect][] = [
  ["text in memory", (...rest) => inMemory("", ...rest)],
  ["CBOR in memory", (...rest) => inMemory(CBOR_PROTOCOL, ...rest)],
  ["text over loopback", (...rest) => overLoopback("", ...rest)],
  ["CBOR over loopback", (...rest) => overLoopback(CBOR_PROTOCOL, ...rest)],
];

/** A shell of which only some calls are there. */
function shell(parts: Partial<ShellRPC>): DaemonRPC {
  const daemon = daemonOf(memoryStore());
  return { ...daemon, shell: { ...daemon.shell, ...parts } };
}

function stdout(seq: number, bytes: number): ExecEvent {
  return { id: "run", seq, name: "stdout", value: new Uint8Array(bytes).fill(seq) };
}

function streamOf<T>(...items: T[]): ReadableStream<T> {
  return new ReadableStream({
    start(controller) {
      for (const item of items) controller.enqueue(item);
      controller.close();
    },
  });
}

describe.each(WAYS)("a session over %s", (_, connect) => {
  test("tells who answers, and counts nothing live while nothing is under way", async () => {
    const { session, served } = await connect(daemonOf(memoryStore()));
    expect(session.hello).toEqual({ protocol: PROTOCOL_VERSION, runtimeId: "runtime-1", mount: "fuse" });
    expect(session.live()).toEqual({ imports: 0, exports: 0 });
    await vi.waitFor(() => expect(served.live()).toEqual({ imports: 0, exports: 0 }));
  });

  test.each([
    [
      PROTOCOL_VERSION + 1,
      "the workspace speaks protocol 1, the computer's daemon protocol 2; upgrade @cloudflare/computer in the Worker",
    ],
    [
      PROTOCOL_VERSION - 1,
      "the workspace speaks protocol 1, the computer's daemon protocol 0; upgrade computerd in the computer's image",
    ],
  ])("refuses protocol %i and says which side to upgrade", async (protocol, message) => {
    const daemon = daemonOf(memoryStore(), { hello: async () => ({ protocol, runtimeId: "r", mount: "fuse" }) });
    await expect(connect(daemon)).rejects.toMatchObject({ code: "EPROTOCOL", message: `EPROTOCOL: ${message}` });
  });

  test("errors keep class, code, path and cause", async () => {
    const cause = new TypeError("the reason");
    const { session } = await connect(
      shell({
        killExec: () => Promise.reject(new ComputerError("EEXEC_LOST", "no run 7 here", { cause })),
        disposeExec: () => Promise.reject(new FsError("ENOENT", { syscall: "open", path: "/workspace/x" })),
        getExec: () => Promise.reject(new RangeError("plain")),
      }),
    );
    const lost = await session.rpc.shell.killExec({ id: "7" }).catch((error) => error);
    expect(lost).toBeInstanceOf(ComputerError);
    expect(lost).toMatchObject({
      code: "EEXEC_LOST",
      message: "EEXEC_LOST: no run 7 here",
      cause: { message: "the reason" },
    });
    const missing = await session.rpc.shell.disposeExec({ id: "7" }).catch((error) => error);
    expect(missing).toBeInstanceOf(FsError);
    expect(missing).toMatchObject({ code: "ENOENT", path: "/workspace/x", syscall: "open" });
    const plain = await session.rpc.shell.getExec({ id: "7" }).catch((error) => error);
    expect(plain).toBeInstanceOf(RangeError);
    expect(session.live()).toEqual({ imports: 0, exports: 0 });
  });

  test("a slow reader makes the producer wait", async () => {
    let produced = 0;
    const events = new ReadableStream<ExecEvent>(
      {
        pull(controller) {
          if (produced === 2_000) controller.close();
          else controller.enqueue(stdout(produced++, 8_192));
        },
      },
      { highWaterMark: 0 },
    );
    const { session } = await connect(shell({ exec: async () => ({ id: "run", events }) }));
    const run = await session.rpc.shell.exec({ source: "yes" });
    const reader = run.events.getReader();
    let ahead = 0;
    for (let read = 0; ; read++) {
      const { done, value } = await reader.read();
      if (done) {
        expect(read).toBe(2_000);
        break;
      }
      expect(value.seq).toBe(read);
      if (read % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 2));
      ahead = Math.max(ahead, produced - read);
    }
    // 16 MB in all; what is under way stays far below.
    expect(ahead * 8_192).toBeLessThan(4_000_000);
    await vi.waitFor(() => expect(session.live()).toEqual({ imports: 0, exports: 0 }));
  });

  test("a reader that stops altogether stops the producer", async () => {
    let produced = 0;
    const events = new ReadableStream<ExecEvent>(
      { pull: (controller) => controller.enqueue(stdout(produced++, 8_192)) },
      { highWaterMark: 0 },
    );
    const { session } = await connect(shell({ exec: async () => ({ id: "run", events }) }));
    await session.rpc.shell.exec({ source: "yes" });
    await new Promise((resolve) => setTimeout(resolve, 200));
    const then = produced;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(produced).toBe(then);
    expect(then * 8_192).toBeLessThan(1_000_000);
  });

  test("cancelling a stream reaches the producer and leaves nothing live", async () => {
    const cancelled = vi.fn();
    let produced = 0;
    const events = new ReadableStream<ExecEvent>(
      { pull: (controller) => controller.enqueue(stdout(produced++, 1_000)), cancel: cancelled },
      { highWaterMark: 0 },
    );
    const { session, served } = await connect(shell({ exec: async () => ({ id: "run", events }) }));
    const run = await session.rpc.shell.exec({ source: "yes" });
    const reader = run.events.getReader();
    await reader.read();
    await reader.cancel("enough");
    await vi.waitFor(() => expect(cancelled).toHaveBeenCalledOnce());
    await vi.waitFor(() => expect(session.live()).toEqual({ imports: 0, exports: 0 }));
    await vi.waitFor(() => expect(served.live()).toEqual({ imports: 0, exports: 0 }));
  });

  test("leaving a stream that was never read ends a run's, and asks for no other", async () => {
    const events = new ReadableStream<ExecEvent>({ pull: (controller) => controller.enqueue(stdout(0, 10)) });
    const daemon = shell({ exec: async () => ({ id: "run", events }) });
    const fetchObjects = vi.spyOn(daemon.sync, "fetchObjects");
    const { session } = await connect(daemon);
    await session.rpc.sync.fetchObjects([new Uint8Array(32)]).cancel();
    await (await session.rpc.shell.exec({ source: "yes" })).events.cancel("enough");
    await session.rpc.hello();
    expect(fetchObjects).not.toHaveBeenCalled();
    await vi.waitFor(() => expect(session.live()).toEqual({ imports: 0, exports: 0 }));
  });

  test("leaving a stream as the connection ends is no error, and a stream of a broken one can be left", async () => {
    for (const wait of [0, 1, 2, 3]) {
      const { session, served } = await connect(
        shell({ exec: async () => ({ id: "run", events: streamOf(stdout(0, 10), stdout(1, 10), stdout(2, 10)) }) }),
      );
      const reader = (await session.rpc.shell.exec({ source: "yes" })).events.getReader();
      await reader.read();
      served.close();
      for (let turn = 0; turn < wait; turn++) await new Promise((resolve) => setImmediate(resolve));
      await reader.cancel("enough");
      await session.closed;
    }
  });

  test("100 runs leave nothing live on either side", async () => {
    const { session, served } = await connect(
      shell({
        exec: async () => ({
          id: "run",
          events: streamOf<ExecEvent>(stdout(0, 10), { id: "run", seq: 1, name: "exit", code: 0 }),
        }),
      }),
    );
    for (let i = 0; i < 100; i++) {
      const { events } = await session.rpc.shell.exec({ source: "true" });
      const names: string[] = [];
      for await (const { name } of events) names.push(name);
      expect(names).toEqual(["stdout", "exit"]);
    }
    await vi.waitFor(() => expect(session.live()).toEqual({ imports: 0, exports: 0 }));
    await vi.waitFor(() => expect(served.live()).toEqual({ imports: 0, exports: 0 }));
  });

  test("the end of the connection fails calls and streams under way, and says to dial again", async () => {
    let cancelled = false;
    const events = new ReadableStream<ExecEvent>({
      start: (controller) => controller.enqueue(stdout(0, 10)),
      cancel: () => {
        cancelled = true;
      },
    });
    const never = new Promise<never>(() => {});
    const { session, served } = await connect(
      shell({ exec: async () => ({ id: "run", events }), killExec: () => never }),
    );
    const run = await session.rpc.shell.exec({ source: "sleep 100" });
    const reader = run.events.getReader();
    await reader.read();
    const reading = reader.read();
    const killing = session.rpc.shell.killExec({ id: "run" });
    served.close();
    await expect(reading).rejects.toMatchObject({ name: "ComputerError", code: "ECONNECTION_LOST" });
    await expect(killing).rejects.toMatchObject({ name: "ComputerError", code: "ECONNECTION_LOST" });
    await expect(session.rpc.hello()).rejects.toMatchObject({ code: "ECONNECTION_LOST" });
    await session.closed;
    await served.closed;
    await vi.waitFor(() => expect(cancelled).toBe(true));
  });

  test("a computer that never answers is given up, with its own code", async () => {
    const { session } = await connect(shell({ killExec: () => new Promise(() => {}) }), { answerTimeoutMs: 150 });
    await expect(session.rpc.shell.killExec({ id: "x" })).rejects.toMatchObject({ code: "ETIMEOUT" });
    await session.closed;
  });
});

test("what a daemon keeps beside its calls cannot be reached", async () => {
  const daemon = { ...daemonOf(memoryStore()), secret: "s3cret" };
  const { client, server } = socketPair();
  serveDaemon(server, daemon);
  using session = await connectDaemon(client);
  const loose = session.rpc as unknown as Record<string, unknown>;
  expect(loose.secret).toBeUndefined();
  const { RpcSession } = await import("capnweb");
  const { socketTransport } = await import("../src/index.ts");
  const raw = socketPair();
  serveDaemon(raw.server, daemon);
  const stub = new RpcSession<{ secret: string }>(socketTransport(raw.client as SocketLike)).getRemoteMain();
  expect(await stub.secret).toBeUndefined();
  stub[Symbol.dispose]();
});

/** The thread that serves a mount: it owns the store, waits in the kernel for requests, and is called away by a bell. */

import { readSync, writeSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { localFacade, type StoreFacade } from "@cloudflare/computer-rpc";
import { type Chunk, HashesMissing, type Ino, type Touched, type Unhashed } from "@cloudflare/dofs";
import { BackingFiles } from "@cloudflare/dofs/node";
import { contentsFetcher } from "../absent-contents.ts";
import { openStore } from "../open-store.ts";
import { preciseNow } from "./attribute-requests.ts";
import { Connection } from "./connection.ts";
import type { FromServer, ServeOptions, ToServer } from "./messages.ts";
import { noticesOf } from "./notices.ts";
import { Served } from "./served.ts";

/** A request that was taken back before it was read, or a signal: the next one is waited for. */
const AGAIN = new Set(["ENOENT", "EINTR", "EAGAIN"]);
/** The mount is gone. */
const OVER = new Set(["ENODEV", "ECONNABORTED"]);

/** How often a call may ask for hashes. Who asks more often is overtaken by a writer each time. */
const MOST_HASHINGS = 3;

const { device, root: rootPath, bell, counts, fetches, contentsDirectory }: ServeOptions = workerData;
const port = parentPort!;
const rung = new Int32Array(bell);
const say = (message: FromServer): void => port.postMessage(message);

/** What was asked of the main thread and has not come, by number. */
const waiting = new Map<number, { resolve(value: never): void; reject(error: Error): void }>();
let lastQuestion = 0;
function ask<T>(question: (id: number) => FromServer): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const id = ++lastQuestion;
    waiting.set(id, { resolve, reject });
    say(question(id));
  });
}
const fetchAbsent = (hashes: readonly Uint8Array[]): Promise<readonly Chunk[]> =>
  ask((id) => ({ kind: "fetch", id, hashes }));
const hash = (wanted: readonly Unhashed[]): Promise<readonly Uint8Array[]> =>
  ask((id) => ({ kind: "hash", id, wanted }));

const backing = new BackingFiles(contentsDirectory);
const { store, root } = openStore(rootPath, { now: preciseNow, backing, hashElsewhere: true });
const facade: StoreFacade = localFacade(store);
const served = new Served({
  store,
  root,
  withContents: contentsFetcher(store, fetches ? fetchAbsent : undefined),
  send: (bytes, length) => {
    try {
      writeSync(device, bytes, 0, length);
    } catch (error) {
      // Whoever asked has gone meanwhile, or the mount has.
      if (!AGAIN.has(codeOf(error)) && !OVER.has(codeOf(error))) throw error;
    }
  },
});
const connection = new Connection(served, new Int32Array(counts), (greeting) =>
  say(
    greeting === "ready"
      ? { kind: "ready" }
      : { kind: "refused", message: "The kernel's FUSE is too old: Linux 5.4 or later is needed" },
  ),
);

/** Notices about inodes at which a request waits for contents: the kernel would wait for that request. */
const putOff = new Map<Ino, Uint8Array>();
served.onIdle = (ino) => {
  const notice = putOff.get(ino);
  if (notice === undefined) return;
  putOff.delete(ino);
  say({ kind: "notices", notices: [notice] });
};

port.on("message", (message: ToServer) => {
  if (message.kind === "serve") serve();
  else if (message.kind === "call") void call(message);
  else {
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.kind === "answer") asked?.resolve(message.value as never);
    else asked?.reject(new Error(message.message));
  }
});

/** Serves until the bell rings, then lets the event loop turn once. */
function serve(): void {
  const { bytes } = served.request;
  for (;;) {
    try {
      readSync(device, bytes, 0, bytes.length, null);
    } catch (error) {
      if (AGAIN.has(codeOf(error))) continue;
      if (!OVER.has(codeOf(error))) throw error;
      say({ kind: "ended" });
      backing.close();
      port.close();
      return;
    }
    connection.handle();
    if (Atomics.load(rung, 0) !== 0) {
      Atomics.store(rung, 0, 0);
      setImmediate(serve);
      return;
    }
  }
}

async function call({ id, method, args }: ToServer & { kind: "call" }): Promise<void> {
  try {
    const run: (...args: never[]) => Promise<unknown> = facade[method];
    const { value, touched } = await attempt(() => run(...(args as never[])));
    for (const ino of touched.inodes) served.changed(ino);
    const notices: Uint8Array[] = [];
    for (const { ino, bytes } of noticesOf(touched, served.nodes)) {
      if (ino !== undefined && served.waits(ino)) putOff.set(ino, bytes);
      else notices.push(bytes);
    }
    say({ kind: "result", id, value, notices });
  } catch (error) {
    say({ kind: "failure", id, message: error instanceof Error ? error.message : String(error) });
  }
}

/** Does a call, again once hashes are there that it needs. */
async function attempt(run: () => Promise<unknown>): Promise<{ value: unknown; touched: Touched }> {
  for (let hashings = 0; ; hashings++) {
    try {
      // The facade of a store in the same thread has done its work when it gives its promise.
      const { result, touched } = store.touchedBy(() => (hashings < MOST_HASHINGS ? run() : store.hashingHere(run)));
      return { value: await result, touched };
    } catch (error) {
      if (!(error instanceof HashesMissing)) throw error;
      error.provide(await hash(error.wanted));
    }
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

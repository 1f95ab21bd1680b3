/** A daemon's main object with what a caller should not have to know of capnweb taken off: errors, envelopes, endless waits. */

import type { ChangeEntry, Chunk } from "@cloudflare/dofs";
import type { RpcStub, RpcTarget } from "capnweb";
import { ComputerError, isComputerError, rebuildError } from "./computer-error.ts";
import { batches } from "./streams.ts";
import { entryBytes, SYNC_LIMITS } from "./sync-limits.ts";
import type { DaemonRPC, ShellRPC, SyncPagesRPC, SyncRPC } from "./wire.ts";

/** The type of the daemon's main object to capnweb. */
export interface DaemonMain extends RpcTarget {
  hello: DaemonRPC["hello"];
  sync: RpcTarget & SyncRPC & SyncPagesRPC;
  shell: RpcTarget & ShellRPC;
}

export class DaemonClient {
  readonly rpc: DaemonRPC;
  /** Resolves when the session has ended, however it ended. */
  readonly closed: Promise<void>;
  readonly #stub: RpcStub<DaemonMain>;
  readonly #answerTimeoutMs: number;
  readonly #ended = Promise.withResolvers<void>();
  #lost: ComputerError | undefined;

  constructor(stub: RpcStub<DaemonMain>, answerTimeoutMs: number) {
    this.#stub = stub;
    this.#answerTimeoutMs = answerTimeoutMs;
    this.closed = this.#ended.promise;
    stub.onRpcBroken((error: unknown) => this.#end(error));
    this.rpc = {
      hello: () => this.#value(() => stub.hello()),
      sync: {
        // Pages instead of the streams that came in: capnweb paces a stream by a clock that stands still in a Worker.
        push: (input) => this.#push(input),
        fetchChanges: async (input) => {
          const answer = await this.#answer(() => stub.sync.fetchChanges(input));
          return { ...answer, stream: this.#stream(answer.stream, answer) };
        },
        watermarks: (input) => this.#value(() => stub.sync.watermarks(input)),
        readEntry: (path) => this.#value(async (): Promise<ChangeEntry | null> => await stub.sync.readEntry(path)),
        hasObjects: (hashes) => this.#value(() => stub.sync.hasObjects(hashes)),
        fetchObjects: (hashes) => this.#later(() => stub.sync.fetchObjects(hashes)),
        pushObjects: (objects) => this.#pushObjects(objects),
        pullPage: (request) => this.#value(() => stub.sync.pullPage(request)),
        pushPage: (page) => this.#value(() => stub.sync.pushPage(page)),
        getChunks: (hashes) => this.#value(() => stub.sync.getChunks(hashes)),
        putChunks: (chunks) => this.#value(() => stub.sync.putChunks(chunks)),
      },
      shell: {
        exec: async (input) => {
          const answer = await this.#answer(() => stub.shell.exec(input));
          return { id: answer.id, events: this.#stream(answer.events, answer) };
        },
        getExec: async (input) => {
          const answer = await this.#answer(() => stub.shell.getExec(input));
          return { id: answer.id, events: this.#stream(answer.events, answer) };
        },
        killExec: (input) => this.#value(() => stub.shell.killExec(input)),
        disposeExec: (input) => this.#value(() => stub.shell.disposeExec(input)),
      },
    };
  }

  close(): void {
    this.#stub[Symbol.dispose]();
  }

  /** The answer to one call, with the time it may take. */
  async #answer<T>(call: () => PromiseLike<T>): Promise<T> {
    if (this.#lost !== undefined) throw this.#lost;
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      late.reject(
        new ComputerError("ETIMEOUT", `the computer did not answer for ${this.#answerTimeoutMs} ms; dial again`),
      );
      // What the silent side may still do with the call is unknown, so nothing else is asked of it.
      this.close();
    }, this.#answerTimeoutMs);
    try {
      return await Promise.race([call(), late.promise]);
    } catch (error) {
      if (isComputerError(error, "ETIMEOUT")) throw error;
      throw this.#lost ?? rebuildError(error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** The answer to a call that answers with plain data. */
  async #value<T>(call: () => PromiseLike<T>): Promise<T> {
    const answer = await this.#answer(call);
    dispose(answer);
    return answer;
  }

  async #push(input: Parameters<SyncRPC["push"]>[0]): ReturnType<SyncRPC["push"]> {
    const { pushPage } = this.rpc.sync;
    let applied = 0;
    for await (const entries of batches(input.changes, SYNC_LIMITS.entries, SYNC_LIMITS.bytes, entryBytes)) {
      applied += (await pushPage({ entries })).applied;
    }
    const cursor = input.senderCursor ?? { rev: input.senderRev, path: null };
    const { rev } = await pushPage({ entries: [], cursor });
    return { rev, applied, appliedPushCursor: cursor };
  }

  async #pushObjects(objects: ReadableStream<Chunk>): Promise<void> {
    const { entries, messageBytes } = SYNC_LIMITS;
    for await (const chunks of batches(objects, entries, messageBytes, ({ bytes }) => bytes.byteLength)) {
      await this.rpc.sync.putChunks(chunks);
    }
  }

  /** The other side's stream with errors of our classes; its envelope is disposed with it. */
  #stream<T>(source: ReadableStream<T>, envelope: unknown): ReadableStream<T> {
    const opened = Promise.resolve(source.getReader());
    return this.#read(() => opened, opened, envelope);
  }

  /** A stream that is asked for when it is first read. */
  #later<T>(call: () => PromiseLike<ReadableStream<T>>): ReadableStream<T> {
    return this.#read(async () => (await this.#answer(call)).getReader());
  }

  #read<T>(
    open: () => Promise<ReadableStreamDefaultReader<T>>,
    opened?: Promise<ReadableStreamDefaultReader<T>>,
    envelope?: unknown,
  ): ReadableStream<T> {
    let reader = opened;
    return new ReadableStream<T>(
      {
        pull: async (controller) => {
          try {
            reader ??= open();
            const { done, value } = await (await reader).read();
            if (!done) return controller.enqueue(value);
            controller.close();
          } catch (error) {
            controller.error(this.#lost ?? rebuildError(error));
          }
          dispose(envelope);
        },
        // What was not asked for need not be ended, and what broke has ended.
        cancel: async (reason) => {
          await reader?.then((live) => live.cancel(reason)).catch(() => {});
          dispose(envelope);
        },
      },
      { highWaterMark: 0 },
    );
  }

  #end(cause: unknown): void {
    const reason = cause instanceof Error ? cause.message : String(cause);
    this.#lost ??= new ComputerError("ECONNECTION_LOST", `${reason}; dial again`, { cause });
    this.#ended.resolve();
  }
}

function dispose(value: unknown): void {
  if (typeof value !== "object" || value === null || !(Symbol.dispose in value)) return;
  if (typeof value[Symbol.dispose] === "function") (value as Disposable)[Symbol.dispose]();
}

/** The store in the serving thread, as the main thread reaches it. */

import { write } from "node:fs";
import { rebuildError, type StoreFacade } from "@cloudflare/computer-rpc";
import type { Chunk, Unhashed } from "@cloudflare/dofs";
import type { MountOptions } from "../driver.ts";
import type { FromServer, ToServer } from "./messages.ts";

interface Waiting {
  resolve(value: never): void;
  reject(error: unknown): void;
}

export interface RemoteStoreOptions {
  /** Where notices are written. */
  readonly device: number;
  readonly fetchAbsent: MountOptions["fetchAbsent"];
  /** Hashes contents outside of the serving thread. */
  readonly hash: (wanted: readonly Unhashed[]) => Promise<readonly Uint8Array[]>;
  readonly post: (message: ToServer) => void;
}

/** Calls by number, and what comes back for them. */
export class RemoteStore {
  readonly facade: StoreFacade;
  readonly #device: number;
  readonly #fetchAbsent: MountOptions["fetchAbsent"];
  readonly #hash: RemoteStoreOptions["hash"];
  readonly #post: (message: ToServer) => void;
  readonly #calls = new Map<number, Waiting>();
  #lastCall = 0;
  #over: Error | undefined;
  /** Notices are written one after the other, so that they hold up one thread of the pool at most. */
  #noticed: Promise<void> = Promise.resolve();

  constructor({ device, fetchAbsent, hash, post }: RemoteStoreOptions) {
    this.#device = device;
    this.#fetchAbsent = fetchAbsent;
    this.#hash = hash;
    this.#post = post;
    this.facade = {
      rev: () => this.#call("rev", []),
      entry: (path) => this.#call("entry", [path]),
      changes: (after, limits) => this.#call("changes", [after, limits]),
      apply: (entries, options) => this.#call("apply", [entries, options]),
      missingChunks: (hashes) => this.#call("missingChunks", [hashes]),
      putChunks: (chunks) => this.#call("putChunks", [chunks]),
      getChunks: (hashes) => this.#call("getChunks", [hashes]),
      peer: (id) => this.#call("peer", [id]),
      setPeer: (id, state) => this.#call("setPeer", [id, state]),
      setReadOnlyRoots: (paths) => this.#call("setReadOnlyRoots", [paths]),
    };
  }

  receive(message: FromServer): void {
    if (message.kind === "result") void this.#settle(message);
    else if (message.kind === "failure") {
      this.#take(message.id)?.reject(rebuildError(new Error(message.message)));
    } else if (message.kind === "fetch") void this.#answer(message.id, this.#fetch(message.hashes));
    else if (message.kind === "hash") void this.#answer(message.id, this.#hash(message.wanted));
    else if (message.kind === "notices") void this.#notify(message.notices);
  }

  /** Ends all calls, those to come too. */
  end(error: Error): void {
    this.#over = error;
    for (const { reject } of this.#calls.values()) reject(error);
    this.#calls.clear();
  }

  #call<Result>(method: keyof StoreFacade, args: readonly unknown[]): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      if (this.#over !== undefined) {
        reject(this.#over);
        return;
      }
      const id = ++this.#lastCall;
      this.#calls.set(id, { resolve, reject });
      this.#post({ kind: "call", id, method, args });
    });
  }

  #take(id: number): Waiting | undefined {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    return call;
  }

  /** Whoever called may look at the mount: the kernel knows of the change before the call is over. */
  async #settle({ id, value, notices }: FromServer & { kind: "result" }): Promise<void> {
    if (notices.length > 0) await this.#notify(notices);
    this.#take(id)?.resolve(value as never);
  }

  #notify(notices: readonly Uint8Array[]): Promise<void> {
    this.#noticed = this.#noticed.then(async () => {
      for (const notice of notices) await this.#write(notice);
    });
    return this.#noticed;
  }

  /** The kernel refuses a notice about what it no longer knows, which is as well. */
  #write(notice: Uint8Array): Promise<void> {
    return new Promise((resolve) => write(this.#device, notice, 0, notice.length, null, () => resolve()));
  }

  async #answer(id: number, coming: Promise<(ToServer & { kind: "answer" })["value"]>): Promise<void> {
    try {
      this.#post({ kind: "answer", id, value: await coming });
    } catch (error) {
      this.#post({ kind: "no answer", id, message: error instanceof Error ? error.message : String(error) });
    }
  }

  async #fetch(hashes: readonly Uint8Array[]): Promise<Chunk[]> {
    const chunks = (await this.#fetchAbsent?.(hashes)) ?? [];
    return chunks.map(({ hash, bytes }) => ({ hash: whole(hash), bytes: whole(bytes) }));
  }
}

/** Bytes that are all of their buffer: a message takes whole buffers along. */
function whole(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : Uint8Array.from(bytes);
}

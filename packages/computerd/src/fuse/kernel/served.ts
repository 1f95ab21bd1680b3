/** What a mount's requests are answered from and with, and the request that is being answered. */

import type { Absent, Attr, Ino, MemoryStore } from "@cloudflare/dofs";
import { isAbsent, type WithContents } from "../absent-contents.ts";
import { negativeErrno } from "../errno.ts";
import { putAttrOut, putEntry } from "./attributes.ts";
import { Frame } from "./frame.ts";
import { NodeTable } from "./node-table.ts";
import { AttrOut, EntryOut, InHeader, OUT_BODY, OutHeader } from "./protocol.ts";

/** The most that one request reads or writes, in bytes. */
export const MAX_TRANSFER: number = 1 << 20;

export interface ServedOptions {
  readonly store: MemoryStore;
  /** The directory of the store that is the root of the mount. */
  readonly root: Ino;
  readonly withContents: WithContents;
  /** Hands the first `length` bytes to the kernel. */
  readonly send: (bytes: Buffer, length: number) => void;
}

/** A request that waits for contents. */
interface Parked {
  readonly ino: Ino;
  /** Answers where the contents are no longer needed. */
  readonly again: () => void;
}

export class Served {
  readonly store: MemoryStore;
  readonly root: Ino;
  readonly nodes: NodeTable;
  readonly request: Frame = new Frame(MAX_TRANSFER + 4096);
  readonly reply: Frame = new Frame(MAX_TRANSFER + 4096);
  /** Called when the last request that waits at an inode is answered. */
  onIdle: (ino: Ino) => void = () => {};
  readonly #withContents: WithContents;
  readonly #send: ServedOptions["send"];
  readonly #parked = new Map<number, Parked>();

  constructor({ store, root, withContents, send }: ServedOptions) {
    this.store = store;
    this.root = root;
    this.nodes = new NodeTable(store, root);
    this.#withContents = withContents;
    this.#send = send;
  }

  get unique(): number {
    return this.request.u64(InHeader.unique);
  }

  /** The inode that the request is about. */
  get ino(): Ino {
    return this.nodes.ino(this.request.u64(InHeader.nodeid));
  }

  /** Answers with what stands in the reply's body, so many bytes. */
  done(bodyBytes: number, unique: number = this.unique): void {
    this.#finish(OUT_BODY + bodyBytes, 0, unique);
  }

  /** Answers with a negative errno. */
  fail(negativeErrno: number, unique: number = this.unique): void {
    this.#finish(OUT_BODY, negativeErrno, unique);
  }

  /** Answers with an inode under a name; the kernel knows it from then on. */
  entry(attr: Attr): void {
    this.nodes.told(attr.ino);
    putEntry(this.reply, OUT_BODY, this.nodes.node(attr.ino), attr, this.store);
    this.done(EntryOut.BYTES);
  }

  attributes(attr: Attr, unique: number = this.unique): void {
    putAttrOut(this.reply, OUT_BODY, attr, this.store);
    this.done(AttrOut.BYTES, unique);
  }

  /**
   * Does what may lack contents, and answers when it is done. Others are served meanwhile, so neither `action` nor `answer` may look at
   * the request.
   */
  whenHere<T extends object>(ino: Ino, action: () => T | Absent, answer: (result: T, unique: number) => void): void {
    const { unique } = this;
    let waits = false;
    /** Once it is answered nothing is done for it any more: what it wanted to write may have been overwritten. */
    const isOver = (): boolean => waits && !this.#parked.has(unique);
    const settle = (respond: () => void): void => {
      if (isOver()) return;
      this.#parked.delete(unique);
      respond();
      if (waits && !this.waits(ino)) this.onIdle(ino);
      waits = true;
    };
    const done = (result: T | undefined): void => {
      if (result !== undefined) settle(() => answer(result, unique));
    };
    const fail = (errno: number): void => settle(() => this.fail(errno, unique));
    this.#withContents(() => (isOver() ? undefined : action()), done, fail);
    if (waits) return;
    waits = true;
    const again = (): void => {
      try {
        const result = action();
        if (!isAbsent(result)) done(result);
      } catch (error) {
        fail(negativeErrno(error));
      }
    };
    this.#parked.set(unique, { ino, again });
  }

  /**
   * Says that an inode's contents have changed. A request that waits for what it had before is answered: whoever changed it may have to
   * wait in the kernel for that answer.
   */
  changed(ino: Ino): void {
    for (const [unique, parked] of [...this.#parked]) {
      if (parked.ino === ino && this.#parked.has(unique)) parked.again();
    }
  }

  /** Whether a request waits for contents of an inode. */
  waits(ino: Ino): boolean {
    for (const parked of this.#parked.values()) if (parked.ino === ino) return true;
    return false;
  }

  /** Stops waiting at a request, if it waits. */
  interrupt(unique: number, negativeErrno: number): void {
    const parked = this.#parked.get(unique);
    if (parked === undefined) return;
    this.#parked.delete(unique);
    this.fail(negativeErrno, unique);
    if (!this.waits(parked.ino)) this.onIdle(parked.ino);
  }

  #finish(length: number, error: number, unique: number): void {
    const { reply } = this;
    reply.putU32(OutHeader.len, length);
    reply.putU32(OutHeader.error, error);
    reply.putU64(OutHeader.unique, unique);
    this.#send(reply.bytes, length);
  }
}

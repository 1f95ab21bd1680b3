/** A mount's connection to the kernel: requests read one by one, each answered at once or left until contents are there. */

import { constants } from "node:os";
import { negativeErrno } from "../errno.ts";
import { getattr, setattr, statfs } from "./attribute-requests.ts";
import {
  link,
  lookup,
  mkdir,
  mknod,
  readdir,
  readdirplus,
  readlink,
  rename,
  rename2,
  rmdir,
  symlink,
  tmpfile,
  unlink,
} from "./directory-requests.ts";
import { copyFileRange, copyFileRange64, fallocate, lseek, read, write } from "./file-requests.ts";
import {
  BatchForgetIn,
  ForgetIn,
  ForgetOne,
  IN_BODY,
  INIT_FLAGS,
  InHeader,
  InitIn,
  InitOut,
  InterruptIn,
  MAJOR,
  MINOR,
  OLDEST_MINOR,
  OPERATION_COUNT,
  OPERATIONS,
  OUT_BODY,
} from "./protocol.ts";
import { MAX_TRANSFER, type Served } from "./served.ts";
import { getxattr, listxattr, removexattr, setxattr } from "./xattr-requests.ts";

const { EINTR, ENOSYS, EPROTO } = constants.errno;
const PAGE = 4096;
const MAX_BACKGROUND = 64;

/** What the mount is told to the kernel to do without. */
const NEEDED =
  INIT_FLAGS.NO_OPEN_SUPPORT | INIT_FLAGS.NO_OPENDIR_SUPPORT | INIT_FLAGS.EXPLICIT_INVAL_DATA | INIT_FLAGS.MAX_PAGES;
const WANTED = Object.values(INIT_FLAGS).reduce((all, flag) => all | flag, 0);

type Handler = (served: Served) => void;

const HANDLERS: (Handler | undefined)[] = [];
for (const [operation, handler] of [
  [OPERATIONS.LOOKUP, lookup],
  [OPERATIONS.GETATTR, getattr],
  [OPERATIONS.SETATTR, setattr],
  [OPERATIONS.READLINK, readlink],
  [OPERATIONS.SYMLINK, symlink],
  [OPERATIONS.MKNOD, mknod],
  [OPERATIONS.MKDIR, mkdir],
  [OPERATIONS.UNLINK, unlink],
  [OPERATIONS.RMDIR, rmdir],
  [OPERATIONS.RENAME, rename],
  [OPERATIONS.RENAME2, rename2],
  [OPERATIONS.LINK, link],
  [OPERATIONS.READ, read],
  [OPERATIONS.WRITE, write],
  [OPERATIONS.STATFS, statfs],
  [OPERATIONS.SETXATTR, setxattr],
  [OPERATIONS.GETXATTR, getxattr],
  [OPERATIONS.LISTXATTR, listxattr],
  [OPERATIONS.REMOVEXATTR, removexattr],
  [OPERATIONS.READDIR, readdir],
  [OPERATIONS.READDIRPLUS, readdirplus],
  [OPERATIONS.FALLOCATE, fallocate],
  [OPERATIONS.LSEEK, lseek],
  [OPERATIONS.COPY_FILE_RANGE, copyFileRange],
  [OPERATIONS.COPY_FILE_RANGE_64, copyFileRange64],
  [OPERATIONS.TMPFILE, tmpfile],
] as const) {
  HANDLERS[operation] = handler;
}

/** What came of the handshake. */
export type Greeting = "ready" | "too old";

export class Connection {
  readonly served: Served;
  /** Requests so far, by their number. */
  readonly counts: Int32Array;
  readonly #onGreeting: (greeting: Greeting) => void;

  constructor(served: Served, counts: Int32Array, onGreeting: (greeting: Greeting) => void) {
    this.served = served;
    this.counts = counts;
    this.#onGreeting = onGreeting;
  }

  /** Answers the request that stands in the frame. */
  handle(): void {
    const { served } = this;
    const { request } = served;
    const operation = request.u32(InHeader.opcode);
    if (operation < OPERATION_COUNT) this.counts[operation]!++;
    const handler = HANDLERS[operation];
    if (handler === undefined) {
      this.#handleOther(operation);
      return;
    }
    try {
      handler(served);
    } catch (error) {
      served.fail(negativeErrno(error));
    }
  }

  /**
   * What has no place in a store. Most is left to the kernel: told once that an operation is not implemented, it does without. So files
   * and directories are neither opened nor closed here, locks are its own, and a sync has nothing to wait for.
   */
  #handleOther(operation: number): void {
    const { served } = this;
    const { request, nodes } = served;
    if (operation === OPERATIONS.FORGET) {
      nodes.forget(request.u64(InHeader.nodeid), request.u64(IN_BODY + ForgetIn.nlookup));
    } else if (operation === OPERATIONS.BATCH_FORGET) {
      const count = request.u32(IN_BODY + BatchForgetIn.count);
      for (let index = 0, at = IN_BODY + BatchForgetIn.BYTES; index < count; index++, at += ForgetOne.BYTES) {
        nodes.forget(request.u64(at + ForgetOne.nodeid), request.u64(at + ForgetOne.nlookup));
      }
    } else if (operation === OPERATIONS.INTERRUPT) {
      served.interrupt(request.u64(IN_BODY + InterruptIn.unique), -EINTR);
    } else if (operation === OPERATIONS.INIT) this.#greet();
    else if (operation === OPERATIONS.DESTROY) served.done(0);
    else served.fail(-ENOSYS);
  }

  #greet(): void {
    const { served } = this;
    const { request, reply } = served;
    const major = request.u32(IN_BODY + InitIn.major);
    const flags = request.u32(IN_BODY + InitIn.flags);
    const minor = request.u32(IN_BODY + InitIn.minor);
    if (major !== MAJOR || minor < OLDEST_MINOR || (flags & NEEDED) !== NEEDED) {
      served.fail(-EPROTO);
      this.#onGreeting("too old");
      return;
    }
    reply.clear(OUT_BODY, InitOut.BYTES);
    reply.putU32(OUT_BODY + InitOut.major, MAJOR);
    reply.putU32(OUT_BODY + InitOut.minor, Math.min(minor, MINOR));
    reply.putU32(OUT_BODY + InitOut.maxReadahead, MAX_TRANSFER);
    reply.putU32(OUT_BODY + InitOut.flags, flags & WANTED);
    reply.putU16(OUT_BODY + InitOut.maxBackground, MAX_BACKGROUND);
    reply.putU16(OUT_BODY + InitOut.congestionThreshold, (MAX_BACKGROUND * 3) / 4);
    reply.putU32(OUT_BODY + InitOut.maxWrite, MAX_TRANSFER);
    reply.putU32(OUT_BODY + InitOut.timeGran, 1);
    reply.putU16(OUT_BODY + InitOut.maxPages, MAX_TRANSFER / PAGE);
    served.done(InitOut.BYTES);
    this.#onGreeting("ready");
  }
}

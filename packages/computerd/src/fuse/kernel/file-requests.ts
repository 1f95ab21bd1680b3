/** Requests about the contents of files. */

import { constants } from "node:os";
import { type Absent, type Attr, FsError, type Ino } from "@cloudflare/dofs";
import {
  CopyFileRangeIn,
  CopyFileRangeOut,
  FALLOCATE_MODES,
  FallocateIn,
  IN_BODY,
  LseekIn,
  LseekOut,
  OUT_BODY,
  ReadIn,
  WRITE_KILL_SUIDGID,
  WriteIn,
  WriteOut,
} from "./protocol.ts";
import type { Served } from "./served.ts";
import { CAPABILITY } from "./xattr-requests.ts";

const SET_USER = 0o4000;
const SET_GROUP = 0o2000;
const GROUP_EXECUTE = 0o010;
const SEEK_DATA = 3;
/** The most that one request copies, in bytes: who copies more asks again, and others are served in between. */
const MAX_COPY = 16 << 20;

export function read(served: Served): void {
  const { store, request, reply, ino } = served;
  const offset = request.u64(IN_BODY + ReadIn.offset);
  const size = request.u32(IN_BODY + ReadIn.size);
  const length = store.readInto(ino, offset, size, reply.bytes, OUT_BODY);
  if (typeof length === "number") {
    served.done(length);
    return;
  }
  served.whenHere(
    ino,
    () => store.read(ino, offset, size),
    (bytes, unique) => {
      reply.bytes.set(bytes, OUT_BODY);
      served.done(bytes.length, unique);
    },
  );
}

export function write(served: Served): void {
  const { store, request, ino } = served;
  const offset = request.u64(IN_BODY + WriteIn.offset);
  const size = request.u32(IN_BODY + WriteIn.size);
  const start = IN_BODY + WriteIn.BYTES;
  if ((request.u32(IN_BODY + WriteIn.writeFlags) & WRITE_KILL_SUIDGID) !== 0) dropSetIds(served, ino);
  const bytes = request.bytes.subarray(start, start + size);
  const written = store.write(ino, offset, bytes);
  if (!("absent" in written)) {
    wrote(served, size);
    served.changed(ino);
    return;
  }
  const kept = Uint8Array.from(bytes);
  served.whenHere(
    ino,
    () => store.write(ino, offset, kept),
    (_, unique) => {
      wrote(served, size, unique);
      served.changed(ino);
    },
  );
}

function wrote(served: Served, size: number, unique: number = served.unique): void {
  served.reply.putU32(OUT_BODY + WriteOut.size, size);
  served.reply.putU32(OUT_BODY + WriteOut.padding, 0);
  served.done(WriteOut.BYTES, unique);
}

/** What a write, a cut and a change of owner take away from a program that runs as somebody else. */
export function dropSetIds({ store }: Served, ino: Ino): void {
  const { mode, kind } = store.getattr(ino);
  if (kind === "dir") return;
  const left = withoutSetIds(mode);
  if (left !== mode) store.setattr(ino, { mode: left });
  if (store.xattr(ino, CAPABILITY) !== undefined) store.setXattr(ino, CAPABILITY, undefined);
}

export function withoutSetIds(mode: number): number {
  return mode & ~SET_USER & ~((mode & GROUP_EXECUTE) === 0 ? 0 : SET_GROUP);
}

export function fallocate(served: Served): void {
  const { store, request, ino } = served;
  const offset = request.u64(IN_BODY + FallocateIn.offset);
  const length = request.u64(IN_BODY + FallocateIn.length);
  const mode = request.u32(IN_BODY + FallocateIn.mode);
  const { KEEP_SIZE, PUNCH_HOLE, ZERO_RANGE } = FALLOCATE_MODES;
  if ((mode & ~(KEEP_SIZE | PUNCH_HOLE | ZERO_RANGE)) !== 0 || mode === PUNCH_HOLE) {
    served.fail(-constants.errno.EOPNOTSUPP);
    return;
  }
  const clears = (mode & (PUNCH_HOLE | ZERO_RANGE)) !== 0;
  const grows = (mode & KEEP_SIZE) === 0;
  served.whenHere(
    ino,
    () => {
      const before = store.getattr(ino);
      const end = offset + length;
      const cleared = clears && offset < before.size ? store.punch(ino, offset, length) : before;
      if ("absent" in cleared || !grows || end <= before.size) return cleared;
      return grow(served, ino, end);
    },
    (_, unique) => {
      served.done(0, unique);
      served.changed(ino);
    },
  );
}

/** Makes a file longer. What it ends in has to be here. */
function grow({ store }: Served, ino: Ino, size: number): Attr | Absent {
  const before = store.getattr(ino);
  const last = before.size === 0 ? new Uint8Array(0) : store.read(ino, before.size - 1, 1);
  return "absent" in last ? last : store.setattr(ino, { size });
}

export function lseek(served: Served): void {
  const { store, request, reply, ino } = served;
  const offset = request.u64(IN_BODY + LseekIn.offset);
  const found = store.seek(ino, offset, request.u32(IN_BODY + LseekIn.whence) === SEEK_DATA);
  if (found === undefined) {
    served.fail(-constants.errno.ENXIO);
    return;
  }
  reply.putU64(OUT_BODY + LseekOut.offset, found);
  served.done(LseekOut.BYTES);
}

/** The answer has the bytes that were copied in 32 bits. */
export function copyFileRange(served: Served): void {
  copy(served, (bytes, unique) => wrote(served, bytes, unique));
}

/** The answer has the bytes that were copied in 64 bits. */
export function copyFileRange64(served: Served): void {
  copy(served, (bytes, unique) => {
    served.reply.putU64(OUT_BODY + CopyFileRangeOut.bytesCopied, bytes);
    served.done(CopyFileRangeOut.BYTES, unique);
  });
}

function copy(served: Served, answer: (bytes: number, unique: number) => void): void {
  const { store, request, nodes, ino: from } = served;
  const to = nodes.ino(request.u64(IN_BODY + CopyFileRangeIn.nodeidOut));
  const fromOffset = request.u64(IN_BODY + CopyFileRangeIn.offIn);
  const toOffset = request.u64(IN_BODY + CopyFileRangeIn.offOut);
  const length = Math.min(request.u64(IN_BODY + CopyFileRangeIn.len), MAX_COPY);
  if (request.u64(IN_BODY + CopyFileRangeIn.flags) !== 0) throw new FsError("EINVAL");
  served.whenHere(
    from,
    (): { copied: number } | Absent => {
      const bytes = store.read(from, fromOffset, length);
      if ("absent" in bytes) return bytes;
      const written = bytes.length === 0 ? undefined : store.write(to, toOffset, bytes);
      return written !== undefined && "absent" in written ? written : { copied: bytes.length };
    },
    ({ copied }, unique) => answer(copied, unique),
  );
}

/** Requests about extended attributes. */

import { constants } from "node:os";
import { decodeName, encodeName } from "./name-bytes.ts";
import { GetxattrIn, GetxattrOut, IN_BODY, OUT_BODY, SetxattrIn, XATTR_FLAGS } from "./protocol.ts";
import type { Served } from "./served.ts";

/** What a program may do beyond its user; goes when the program is changed. */
export const CAPABILITY = "security.capability";

/** Access lists, which nothing here would heed. */
const ACCESS_LIST = /^system\.posix_acl_/;
const { ENODATA, ERANGE, EEXIST, EOPNOTSUPP, ENOSPC } = constants.errno;
/** What the attributes of one inode may have together, names and values, in bytes. */
const MAX_BYTES = 1 << 20;

export function setxattr(served: Served): void {
  const { store, request, ino } = served;
  const size = request.u32(IN_BODY + SetxattrIn.size);
  const flags = request.u32(IN_BODY + SetxattrIn.flags);
  const start = IN_BODY + SetxattrIn.BYTES;
  const end = request.bytes.indexOf(0, start);
  const name = decodeName(request.bytes, start, end);
  const before = store.xattr(ino, name);
  if (ACCESS_LIST.test(name)) served.fail(-EOPNOTSUPP);
  else if ((flags & XATTR_FLAGS.CREATE) !== 0 && before !== undefined) served.fail(-EEXIST);
  else if ((flags & XATTR_FLAGS.REPLACE) !== 0 && before === undefined) served.fail(-ENODATA);
  else if (bytesOf(served) - (before?.length ?? 0) + name.length + size > MAX_BYTES) served.fail(-ENOSPC);
  else {
    store.setXattr(ino, name, request.bytes.subarray(end + 1, end + 1 + size));
    served.done(0);
  }
}

export function getxattr(served: Served): void {
  const { store, request, ino } = served;
  const start = IN_BODY + GetxattrIn.BYTES;
  const name = decodeName(request.bytes, start, request.bytes.indexOf(0, start));
  const value = store.xattr(ino, name);
  if (value === undefined) served.fail(ACCESS_LIST.test(name) ? -EOPNOTSUPP : -ENODATA);
  else answer(served, value);
}

export function listxattr(served: Served): void {
  const names = served.store.xattrNames(served.ino).flatMap((name) => [encodeName(name), Buffer.of(0)]);
  answer(served, Buffer.concat(names));
}

export function removexattr(served: Served): void {
  const { store, request, ino } = served;
  const name = decodeName(request.bytes, IN_BODY, request.bytes.indexOf(0, IN_BODY));
  if (store.xattr(ino, name) === undefined) {
    served.fail(-ENODATA);
    return;
  }
  store.setXattr(ino, name, undefined);
  served.done(0);
}

/** The value, or its length to who brings no room. */
function answer(served: Served, value: Uint8Array): void {
  const { reply } = served;
  const room = served.request.u32(IN_BODY + GetxattrIn.size);
  if (room === 0) {
    reply.putU32(OUT_BODY + GetxattrOut.size, value.length);
    reply.putU32(OUT_BODY + GetxattrOut.padding, 0);
    served.done(GetxattrOut.BYTES);
  } else if (room < value.length) served.fail(-ERANGE);
  else {
    reply.bytes.set(value, OUT_BODY);
    served.done(value.length);
  }
}

function bytesOf({ store, ino }: Served): number {
  return store.xattrNames(ino).reduce((sum, name) => sum + name.length + (store.xattr(ino, name)?.length ?? 0), 0);
}

/** Names of objects: the SHA-1 of their type, length and bytes, as 40 hexadecimal digits. */

import { Buffer } from "node:buffer";
import { createHash, type Hash } from "node:crypto";

/** What an object can be. */
export type ObjectType = "blob" | "tree" | "commit" | "tag";

export const OID_BYTES = 20;
export const NULL_OID: string = "0".repeat(40);
/** The tree with nothing in it. */
export const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
export const EMPTY_BLOB = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";

export function isOid(text: string): boolean {
  return /^[0-9a-f]{40}$/.test(text);
}

export function sha1(): Hash {
  return createHash("sha1");
}

/** The name that an object of this type with these bytes has. */
export function oidOf(type: ObjectType, data: Uint8Array): string {
  return sha1().update(`${type} ${data.length}\0`).update(data).digest("hex");
}

export function hexOf(bytes: Uint8Array, at = 0): string {
  return viewOf(bytes).toString("hex", at, at + OID_BYTES);
}

export function bytesOfOid(oid: string): Buffer {
  return Buffer.from(oid, "hex");
}

/** The same bytes with Node's methods. */
export function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

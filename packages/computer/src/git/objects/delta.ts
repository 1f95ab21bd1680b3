/** Deltas of packs: an object told as pieces of another. */

import { Buffer } from "node:buffer";

/** The object that a delta makes of its base. */
export function applyDelta(base: Uint8Array, delta: Uint8Array): Uint8Array {
  let at = 0;
  const size = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = delta[at++]!;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  if (size() !== base.length) throw new Error("a delta does not fit its base");
  const result = Buffer.allocUnsafe(size());
  let end = 0;
  while (at < delta.length) {
    const op = delta[at++]!;
    if (op < 0x80) {
      result.set(delta.subarray(at, at + op), end);
      at += op;
      end += op;
      continue;
    }
    let offset = 0;
    let length = 0;
    for (let i = 0; i < 4; i++) if (op & (1 << i)) offset += delta[at++]! * 2 ** (8 * i);
    for (let i = 0; i < 3; i++) if (op & (0x10 << i)) length += delta[at++]! << (8 * i);
    if (length === 0) length = 0x10000;
    result.set(base.subarray(offset, offset + length), end);
    end += length;
  }
  if (end !== result.length) throw new Error("a delta is cut short");
  return result;
}

/** The two lengths that a delta begins with: that of its base, and that of what it makes. */
export function deltaSizes(delta: Uint8Array): [number, number] {
  let at = 0;
  const next = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = delta[at++]!;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  return [next(), next()];
}

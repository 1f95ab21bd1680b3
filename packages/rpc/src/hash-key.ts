/** Hashes as keys of sets and maps. */

/** A hash in lower-case hexadecimal. */
export function hashKey(hash: Uint8Array): string {
  let key = "";
  for (const byte of hash) key += byte.toString(16).padStart(2, "0");
  return key;
}

/** Whether contents are to be shown as text. */

const LOOKED_AT = 8000;

/** Whether there is a NUL in the first 8,000 bytes, which is how git tells. */
export function isBinary(data: Uint8Array): boolean {
  const at = data.indexOf(0);
  return at >= 0 && at < LOOKED_AT;
}

/** Ids of what is shared: 26 characters that sort by time and cannot be guessed. */

/** Crockford's digits, without those that look like others. */
const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const TIME_DIGITS = 10;
const RANDOM_DIGITS = 16;

/** A ULID: the time in milliseconds, then 80 random bits. */
export function assetId(now: number): string {
  let time = "";
  for (let left = now; time.length < TIME_DIGITS; left = Math.floor(left / 32)) time = DIGITS[left % 32] + time;
  const random = crypto.getRandomValues(new Uint8Array(RANDOM_DIGITS));
  return time + [...random].map((byte) => DIGITS[byte % 32]).join("");
}

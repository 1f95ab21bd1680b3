/** The mark on a request that comes from inside a container. */

export const EGRESS_TOKEN_HEADER = "Computer-Egress-Token";

/** Whether two texts are equal, in a time that does not tell where they differ. */
export function equalTokens(a: string, b: string): boolean {
  const [left, right] = [new TextEncoder().encode(a), new TextEncoder().encode(b)];
  let different = left.length ^ right.length;
  for (let at = 0; at < left.length; at++) different |= (left[at] ?? 0) ^ (right[at % Math.max(right.length, 1)] ?? 0);
  return different === 0;
}

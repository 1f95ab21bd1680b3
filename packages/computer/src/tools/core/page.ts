/** Pages of lists. */

/** Of one item more than wanted, the page and where the next one begins. */
export function onePage<T>(
  found: readonly T[],
  limit: number,
  offset: number,
): { readonly items: readonly T[]; readonly next: { readonly nextOffset?: number } } {
  if (found.length <= limit) return { items: found, next: {} };
  return { items: found.slice(0, limit), next: { nextOffset: offset + limit } };
}

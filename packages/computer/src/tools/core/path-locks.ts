/** Keeps changes of one path, or of a directory and what is below it, one after another; others do not wait. */

/** One change that is waiting or under way. */
interface Held {
  readonly path: string;
  readonly over: Promise<void>;
}

const locksOf = new WeakMap<object, Held[]>();

/**
 * Runs `task` when no earlier change of `path`, of what is above it or below it is left. `identity` is the same object for all who
 * change the same files.
 */
export async function withPathLock<T>(identity: object, path: string, task: () => Promise<T>): Promise<T> {
  const held = locksOf.get(identity) ?? [];
  locksOf.set(identity, held);
  const key = path.replace(/\/+$/, "");
  const before = held.filter((other) => touches(other.path, key)).map((other) => other.over);
  const { promise, resolve } = Promise.withResolvers<void>();
  const own: Held = { path: key, over: promise };
  held.push(own);
  try {
    await Promise.all(before);
    return await task();
  } finally {
    held.splice(held.indexOf(own), 1);
    resolve();
  }
}

function touches(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
}

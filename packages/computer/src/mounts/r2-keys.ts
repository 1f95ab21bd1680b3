/** The keys of a bucket as paths of files. */

import { FsError } from "@cloudflare/dofs";

/** What a listing says of an object. */
export interface ListedObject {
  readonly key: string;
  readonly size: number;
  /** Names its contents. */
  readonly etag?: string;
}

/** What a mount makes of a listing; paths are relative. */
export interface KeyTree {
  /** The objects by the paths of their files. */
  readonly files: ReadonlyMap<string, ListedObject>;
  /** Directories that the bucket has objects for, those with a slash at the end of their keys. */
  readonly directories: readonly string[];
}

const NAME_BYTES = 255;

/**
 * Keys are paths as they are. `EINVAL` names one that cannot be: with an empty name, `.`, `..`, a NUL, a name over 255 bytes, or one that is
 * both a file and a directory of others; with `skip` such keys are left out.
 */
export function keyTree(objects: readonly ListedObject[], prefix: string, skip: boolean): KeyTree {
  const files = new Map<string, ListedObject>();
  const directories = new Set<string>();
  const parents = new Set<string>();
  const refuse = (key: string, why: string): void => {
    if (!skip) throw new FsError("EINVAL", { detail: `the key ${JSON.stringify(key)} cannot be a path: ${why}` });
  };
  for (const object of objects) {
    const relative = object.key.slice(prefix.length);
    const path = relative.endsWith("/") ? relative.slice(0, -1) : relative;
    if (relative === "") continue;
    const wrong = path
      .split("/")
      .map(wrongName)
      .find((why) => why !== undefined);
    if (wrong !== undefined) {
      refuse(object.key, wrong);
      continue;
    }
    if (relative.endsWith("/")) directories.add(path);
    else files.set(path, object);
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1))
      parents.add(path.slice(0, end));
  }
  for (const [path, object] of files) {
    if (!parents.has(path) && !directories.has(path)) continue;
    refuse(object.key, "other keys lie under it as in a directory");
    files.delete(path);
  }
  return { files, directories: [...directories] };
}

function wrongName(name: string): string | undefined {
  if (name === "") return "it has an empty name between its slashes";
  if (name === "." || name === "..") return `it has the name ${name}`;
  if (name.includes("\0")) return "it has a NUL";
  if (new TextEncoder().encode(name).length > NAME_BYTES) return `it has a name of over ${NAME_BYTES} bytes`;
  return undefined;
}

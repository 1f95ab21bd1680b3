/** The one resolver: from a path, through symlinks, to a name in a directory and what has that name. */

import { FsError, type FsErrorPlace, placed } from "../fs-error.ts";
import { type Attr, type Ino, type InodeStore, ROOT_INO } from "../inode-store.ts";
import { checkNameLength, normalizePath, parsePath } from "./path.ts";

/** A path that needs more symlinks than this is `ELOOP`. */
const LINKS_MAX = 40;

/** A name in a directory that exists. The root is its own parent, under the empty name. */
export interface Place {
  readonly parent: Ino;
  readonly name: string;
  /** What has the name; undefined where nothing has it, and it could be created there. */
  readonly attr: Attr | undefined;
  /** The path ends in a slash: what is created there must be a directory. */
  readonly slash: boolean;
}

export interface ResolveOptions {
  /** Follow a symlink in the last component, to the place of its target, which need not exist. Default true. */
  readonly follow?: boolean;
}

/**
 * Where a path leads. Links are followed relative to the directory they lie in, always in the middle of a path, at its end as `follow` says.
 *
 * `EINVAL` for a bad path, `ENOENT` for a missing parent, `ENOTDIR` for a parent that is no directory and for anything but a directory
 * under a path with a trailing slash, `ELOOP` after 40 links, `ENAMETOOLONG`. The errors have no path; see {@link attempt}.
 */
export function resolve(store: InodeStore, path: string, options: ResolveOptions = {}): Place {
  const { names, slash } = parsePath(path);
  return walk(store, ROOT_INO, names, slash, options.follow ?? true, { left: LINKS_MAX });
}

/** What is at the place; `ENOENT` where nothing is. */
export function existing(place: Place): Attr {
  if (place.attr === undefined) throw new FsError("ENOENT");
  return place.attr;
}

/** A place where something is to be made, itself and not through a link; `EEXIST` where anything is, a dangling link too. */
export function resolveNew(store: InodeStore, path: string): Place {
  const place = resolve(store, normalizePath(path), { follow: false });
  if (place.attr !== undefined) throw new FsError("EEXIST");
  return { ...place, slash: parsePath(path).slash };
}

/** The directory that a path leads to; `ENOENT` where nothing is, `ENOTDIR` where something else is. */
export function resolveDirectory(store: InodeStore, path: string): Attr {
  const attr = existing(resolve(store, path));
  if (attr.kind !== "dir") throw new FsError("ENOTDIR");
  return attr;
}

/** Runs an operation, naming its system call and path in the errors that come out of the store and the resolver. */
export function attempt<T>(place: FsErrorPlace, operation: () => T): T {
  try {
    return operation();
  } catch (error) {
    throw placed(error, place);
  }
}

function walk(
  store: InodeStore,
  start: Ino,
  names: readonly string[],
  slash: boolean,
  follow: boolean,
  links: { left: number },
): Place {
  let place: Place | undefined;
  let directory = start;
  for (let i = 0; i < names.length; i++) {
    if (place !== undefined) directory = enter(place);
    const name = names[i]!;
    const last = i === names.length - 1;
    place = step(store, directory, name, slash && last);
    if (place.attr?.kind === "symlink" && (follow || !last)) {
      if (links.left-- === 0) throw new FsError("ELOOP");
      place = through(store, directory, place.attr.ino, place.slash, links);
    }
  }
  if (place === undefined) return { parent: start, name: "", attr: store.getattr(start), slash };
  if (place.slash && place.attr !== undefined && place.attr.kind !== "dir") throw new FsError("ENOTDIR");
  return place;
}

function step(store: InodeStore, parent: Ino, name: string, slash: boolean): Place {
  if (name === "." || name === "..") {
    // Only a link's target has these: a caller's path is normalised before, by its text.
    const ino = name === "." ? parent : store.parent(parent);
    return { parent: ino, name: "", attr: store.getattr(ino), slash };
  }
  checkNameLength(name);
  return { parent, name, attr: store.lookup(parent, name), slash };
}

function enter(place: Place): Ino {
  const attr = existing(place);
  if (attr.kind !== "dir") throw new FsError("ENOTDIR");
  return attr.ino;
}

function through(store: InodeStore, directory: Ino, link: Ino, slash: boolean, links: { left: number }): Place {
  const target = store.readlink(link);
  const names = target.split("/").filter((name) => name !== "");
  const start = target.startsWith("/") ? ROOT_INO : directory;
  return walk(store, start, names, slash || target.endsWith("/"), true, links);
}

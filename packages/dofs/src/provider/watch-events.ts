/** What happened under a directory since a revision, as a watcher tells it. */

import type { ChangeCursor, ChangeEntry } from "../changes.ts";
import { existing, resolve } from "../filesystem/resolve.ts";
import { isFsError } from "../fs-error.ts";
import type { Attr, InodeStore } from "../inode-store.ts";

/** Entries asked of the store at once. */
const PAGE_ENTRIES = 1_000;

export interface WatchEvent {
  /** `rename` where a name came or went, `change` where what it names changed; as in Node. */
  eventType: "rename" | "change";
  /** The path relative to the watched directory; a watched file's own name. */
  filename: string;
  /** The store no longer knows what happened: look at everything again. `filename` is empty. */
  reset?: true;
}

/** What is watched: a directory, or one name in it. */
export interface Watched {
  /** The directory's absolute path, no link in it. */
  readonly directory: string;
  /** The one name that counts; undefined for all. */
  readonly name: string | undefined;
  /** What lies deeper counts too. */
  readonly recursive: boolean;
}

/** Events in the order of the changes, a path's several changes as one, and the revision up to which they tell everything. */
export function eventsSince(store: InodeStore, watched: Watched, since: number): { events: WatchEvent[]; rev: number } {
  const events: WatchEvent[] = [];
  let cursor: ChangeCursor = { rev: since, path: null };
  for (;;) {
    const page = store.changes(cursor, { entries: PAGE_ENTRIES, root: watched.directory });
    if (page.reset) return { events: [{ eventType: "rename", filename: "", reset: true }], rev: store.rev() };
    events.push(...pageEvents(store, watched, page.entries, since));
    cursor = page.cursor;
    if (page.done) return { events, rev: cursor.rev };
  }
}

function pageEvents(store: InodeStore, watched: Watched, entries: ChangeEntry[], since: number): WatchEvent[] {
  const events: WatchEvent[] = [];
  const changed = entries.map((entry) => ({ entry, came: came(store, entry, since) }));
  /** Directories in which a name came or went: that they were touched says nothing more. */
  const explained = new Set(changed.filter(({ came }) => came).map(({ entry }) => parentOf(entry.path)));
  const told = new Set<string>();
  for (const { entry, came } of changed) {
    const filename = relative(watched, entry.path);
    if (filename === undefined || told.has(filename)) continue;
    // What a moved directory brought along has not changed itself.
    if (!came && entry.rev <= since) continue;
    if (!came && entry.kind === "dir" && explained.has(entry.path)) continue;
    told.add(filename);
    events.push({ eventType: came ? "rename" : "change", filename });
  }
  return events;
}

/** Whether the entry says that a name appeared or vanished after the revision. */
function came(store: InodeStore, entry: ChangeEntry, since: number): boolean {
  if (entry.kind === "delete") return true;
  if (entry.kind === "dir" && entry.fresh === true) return true;
  const attr = attrAt(store, entry.path);
  if (attr === undefined) return true;
  if ((attr.placed ?? 0) > since) return true;
  // A further name of an inode leaves the first where it was, and touches the directory it came into.
  if (attr.nlink < 2 || attr.kind === "dir" || store.paths(attr.ino)[0] === entry.path) return false;
  return attrAt(store, parentOf(entry.path))?.rev === attr.rev;
}

function attrAt(store: InodeStore, path: string): Attr | undefined {
  try {
    return existing(resolve(store, path, { follow: false }));
  } catch (error) {
    if (isFsError(error, "ENOENT") || isFsError(error, "ENOTDIR")) return undefined;
    throw error;
  }
}

function relative({ directory, name, recursive }: Watched, path: string): string | undefined {
  // The directory itself came or went.
  if (path === directory) return name ?? path.slice(path.lastIndexOf("/") + 1);
  const rest = path.slice(directory === "/" ? 1 : directory.length + 1);
  if (name !== undefined) return rest === name ? name : undefined;
  return recursive || !rest.includes("/") ? rest : undefined;
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}

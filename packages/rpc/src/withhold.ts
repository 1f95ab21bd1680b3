/** Keeps what changed in a store from being overwritten by a peer that has not seen it. */

import { type Attr, attrAt, type ChangeEntry, type InodeStore } from "@cloudflare/dofs";

export interface LocalChanges {
  /** Whose entries are to be applied; its own earlier changes are no reason to withhold. */
  readonly peer: string;
  /** The newest revision of this store that the peer has seen. */
  readonly since: number;
  readonly root: string;
}

export interface Withheld {
  /** What is to be applied: the entries that touch nothing unseen, and deletes of what else a withheld one would have removed. */
  readonly entries: ChangeEntry[];
  /** The paths of the entries left out. */
  readonly withheld: string[];
}

const PAGE = 1_000;

/** Splits off the entries that would overwrite or remove a local change which the peer has not seen. */
export function withholdLocal(store: InodeStore, entries: readonly ChangeEntry[], local: LocalChanges): Withheld {
  const own = ownChanges(store, local);
  if (own.size === 0) return { entries: [...entries], withheld: [] };
  const above = new Set<string>();
  for (const [path, kind] of own) {
    if (kind !== "delete") for (const dir of ancestors(path)) above.add(dir);
  }

  const out: ChangeEntry[] = [];
  const withheld = new Set<string>();
  for (const entry of entries) {
    if (collides(entry, own) || (above.has(entry.path) && entry.kind !== "dir")) {
      withheld.add(entry.path);
      if (above.has(entry.path) || isDirectory(own.get(entry.path)))
        out.push(...unchangedBelow(store, entry, own, above));
    } else if (
      entry.kind === "dir" &&
      entry.fresh === true &&
      (above.has(entry.path) || own.get(entry.path) === "new")
    ) {
      const { fresh: _, ...dir } = entry;
      out.push(dir, ...unchangedBelow(store, entry, own, above));
    } else if (entry.kind === "file" && entry.sameAs !== undefined && withheld.has(entry.sameAs)) {
      const { sameAs: _, ...file } = entry;
      out.push(file);
    } else {
      out.push(entry);
    }
  }
  return { entries: out, withheld: [...withheld] };
}

/** The entries with directories that both sides made since joined instead of exchanged. */
export function joinNewDirectories(
  store: InodeStore,
  entries: readonly ChangeEntry[],
  local: LocalChanges,
): ChangeEntry[] {
  const isExchange = (entry: ChangeEntry): boolean =>
    entry.kind === "dir" && entry.fresh === true && attrAt(store, entry.path)?.kind === "dir";
  if (!entries.some(isExchange)) return [...entries];
  const own = ownChanges(store, local);
  return entries.map((entry) => {
    if (own.get(entry.path) !== "new" || !isExchange(entry)) return entry;
    const { fresh: _, ...dir } = entry as ChangeEntry & { kind: "dir" };
    return dir;
  });
}

function isDirectory(kind: OwnKind | undefined): boolean {
  return kind === "dir" || kind === "new";
}

/** A symlink counts as a file; `new` is a directory that was not there before. */
type OwnKind = "file" | "dir" | "new" | "delete";

/** The paths that changed here since, with what they are now. */
function ownChanges(store: InodeStore, { peer, since, root }: LocalChanges): Map<string, OwnKind> {
  const own = new Map<string, OwnKind>();
  if (store.rev() <= since) return own;
  for (let after = { rev: since, path: null as string | null }; ; ) {
    const page = store.changes(after, { entries: PAGE, peer, root });
    for (const entry of page.entries) own.set(entry.path, ownKind(entry, own.get(entry.path)));
    if (page.done) return own;
    after = page.cursor;
  }
}

function ownKind(entry: ChangeEntry, before: OwnKind | undefined): OwnKind {
  if (entry.kind === "dir") return entry.fresh === true || before === "new" ? "new" : "dir";
  return entry.kind === "delete" ? "delete" : "file";
}

function collides(entry: ChangeEntry, own: ReadonlyMap<string, OwnKind>): boolean {
  const kind = own.get(entry.path);
  if (kind === "dir" || kind === "new") return entry.kind !== "dir";
  if (kind === "file") return true;
  if (kind === "delete") return entry.kind !== "delete";
  for (const dir of ancestors(entry.path)) {
    const above = own.get(dir);
    if (above === "file" || (above === "delete" && entry.kind !== "delete")) return true;
  }
  return false;
}

/** Deletes for all that is below a path and did not change here. */
function unchangedBelow(
  store: InodeStore,
  entry: ChangeEntry,
  own: ReadonlyMap<string, OwnKind>,
  above: ReadonlySet<string>,
): ChangeEntry[] {
  const found = attrAt(store, entry.path);
  if (found?.kind !== "dir") return [];
  const deletes: ChangeEntry[] = [];
  const walk = (dir: Attr, path: string): void => {
    for (let after: string | undefined; ; ) {
      const names = store.readdir(dir.ino, after, PAGE);
      for (const { name, attr } of names) {
        const child = `${path}/${name}`;
        if (!own.has(child) && !above.has(child)) deletes.push({ kind: "delete", rev: entry.rev, path: child });
        else if (attr.kind === "dir") walk(attr, child);
      }
      if (names.length < PAGE) return;
      after = names.at(-1)!.name;
    }
  };
  walk(found, entry.path);
  return deletes;
}

/** The directories above an absolute path, nearest first, without `/`. */
function* ancestors(path: string): Generator<string> {
  for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) yield path.slice(0, end);
}

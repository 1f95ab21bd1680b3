/** A store's tree by path: to change it and to compare it. */

import { createHash } from "node:crypto";
import { type Attr, type InodeStore, ROOT_INO } from "@cloudflare/dofs";

const encoder = new TextEncoder();

export function find(store: InodeStore, path: string): Attr | undefined {
  let attr: Attr | undefined = store.getattr(ROOT_INO);
  for (const name of path.split("/").filter((name) => name !== "")) {
    if (attr?.kind !== "dir") return undefined;
    attr = store.lookup(attr.ino, name);
  }
  return attr;
}

function place(store: InodeStore, path: string): [number, string] {
  const cut = path.lastIndexOf("/");
  const parent = find(store, path.slice(0, cut));
  if (parent === undefined) throw new Error(`no parent of ${path}`);
  return [parent.ino, path.slice(cut + 1)];
}

export function mkdir(store: InodeStore, path: string, mode = 0o755): void {
  store.create(...place(store, path), { kind: "dir", mode });
}

/** Creates a file or exchanges the contents of one. */
export function write(store: InodeStore, path: string, content: string | Uint8Array, mode = 0o644): void {
  const bytes = typeof content === "string" ? encoder.encode(content) : content;
  const there = find(store, path);
  if (there !== undefined) store.replace(there.ino, bytes);
  else store.create(...place(store, path), { kind: "file", mode, content: bytes });
}

export function symlink(store: InodeStore, target: string, path: string): void {
  store.create(...place(store, path), { kind: "symlink", mode: 0o777, target });
}

export function link(store: InodeStore, from: string, to: string): void {
  store.link(find(store, from)!.ino, ...place(store, to));
}

export function remove(store: InodeStore, path: string): void {
  store.removeTree(...place(store, path));
}

export function rename(store: InodeStore, from: string, to: string): void {
  store.rename(...place(store, from), ...place(store, to));
}

export function read(store: InodeStore, path: string): Uint8Array {
  const attr = find(store, path);
  if (attr === undefined) throw new Error(`nothing at ${path}`);
  const bytes = store.read(attr.ino, 0, attr.size);
  if (!(bytes instanceof Uint8Array)) throw new Error(`${path} is absent`);
  return bytes;
}

export function text(store: InodeStore, path: string): string {
  return new TextDecoder().decode(read(store, path));
}

/** Every path under a directory with what is there; hard links show by the first path of their inode. */
export function tree(store: InodeStore, root = "/workspace"): Record<string, string> {
  const out: Record<string, string> = {};
  const first = new Map<number, string>();
  const walk = (ino: number, path: string): void => {
    for (const { name, attr } of store.readdir(ino, undefined, 100_000)) {
      const child = `${path}/${name}`;
      const mode = attr.mode.toString(8);
      if (attr.kind === "dir") {
        out[child] = `dir ${mode}`;
        walk(attr.ino, child);
      } else if (attr.kind === "symlink") {
        out[child] = `link ${store.readlink(attr.ino)}`;
      } else {
        const twin = first.get(attr.ino);
        first.set(attr.ino, twin ?? child);
        out[child] =
          twin === undefined
            ? `file ${mode} ${attr.mtime} ${attr.size} ${digest(read(store, child))}`
            : `same as ${twin}`;
      }
    }
  };
  const top = find(store, root);
  if (top !== undefined) walk(top.ino, root);
  return out;
}

function digest(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("base64");
}

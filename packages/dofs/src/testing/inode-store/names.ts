/** Names, links and places: what may stand where, and what moves keep. */

import { expect } from "vitest";
import { type Attr, ROOT_INO } from "../../inode-store.ts";
import { bytes, directory, file, names, type StoreSuite, storeTest, text } from "./context.ts";

const code = (value: string) => expect.objectContaining({ code: value });

export function testNames(suite: StoreSuite): void {
  storeTest(suite, "a new store has an empty root and no revision", (store) => {
    expect(store.rev()).toBe(0);
    expect(names(store)).toEqual([]);
    expect(store.getattr(ROOT_INO)).toMatchObject({ kind: "dir", nlink: 2, mode: 0o755 });
    expect(store.paths(ROOT_INO)).toEqual(["/"]);
  });

  storeTest(suite, "names are listed in the order of their bytes, page by page", (store) => {
    const given = ["b", "a", "B", "ä", "a-b", "a.b", "\u{ffee}", "\u{1f600}", "10", "9"];
    for (const name of given) file(store, ROOT_INO, name);
    const sorted = given.toSorted((x, y) => compareBytes(bytes(x), bytes(y)));
    expect(names(store)).toEqual(sorted);
    const paged: string[] = [];
    for (let after: string | undefined; ; ) {
      const page = store.readdir(ROOT_INO, after, 3);
      paged.push(...page.map(({ name }) => name));
      if (page.length < 3) break;
      after = page.at(-1)!.name;
    }
    expect(paged).toEqual(sorted);
  });

  storeTest(suite, "lists and listings say of every name what readdir does, whatever is in it", (store) => {
    const top = directory(store, ROOT_INO, "d");
    const odd = ['"', "\\", "a\nb", "\u0001".repeat(255), "\u2028", "'", "{}", "\u{1f600}", "\ufeff", "null"];
    store.transaction(() => {
      for (const name of odd) file(store, top, name, name);
      for (let i = 0; i < 1_100; i++) file(store, top, `f${i}`);
    });
    directory(store, top, "sub");
    store.create(top, "link", { kind: "symlink", mode: 0o777, target: "sub" });
    const all = store.readdir(top, undefined, 10_000);
    expect(all.length).toBe(odd.length + 1_102);
    const told = all.map(({ name, attr: { ino, kind, size, mtime } }) => ({ name, ino, kind, size, mtime }));
    expect(store.listing(top, undefined, 10_000)).toEqual(told);
    expect(store.listing(top, "f5", 7)).toEqual(told.filter(({ name }) => name > "f5" && name < "g").slice(0, 7));
    expect(store.listing(top, undefined, 0)).toEqual([]);
    expect(store.list(top, undefined, 10_000)).toEqual(told.map(({ name, ino, kind }) => ({ name, ino, kind })));
    expect(() => store.listing(file(store, top, "file"), undefined, 1)).toThrow(code("ENOTDIR"));
  });

  storeTest(suite, "names that cannot stand in a directory are refused", (store) => {
    for (const name of ["", ".", "..", "a/b", "a\0"]) {
      expect(() => file(store, ROOT_INO, name)).toThrow(code("EINVAL"));
    }
    expect(() => file(store, ROOT_INO, "ä".repeat(128))).toThrow(code("ENAMETOOLONG"));
    file(store, ROOT_INO, `${"ä".repeat(127)}a`);
    expect(store.rev()).toBe(1);
  });

  storeTest(suite, "each mutation is one revision, and one that changes nothing none", (store) => {
    const ino = file(store, ROOT_INO, "a", "x");
    expect(store.rev()).toBe(1);
    store.setattr(ino, { mode: 0o644 });
    store.write(ino, 0, new Uint8Array(0));
    store.rename(ROOT_INO, "a", ROOT_INO, "a");
    expect(store.rev()).toBe(1);
    store.setattr(ino, { mode: 0o600, mtime: 5, mtimeNs: 7 });
    expect(store.rev()).toBe(2);
    expect(store.getattr(ino)).toMatchObject({ mode: 0o600, mtime: 5, mtimeNs: 7, rev: 2 });
    expect(() => store.lookup(ino, "x")).toThrow(code("ENOTDIR"));
    expect(() => file(store, ROOT_INO, "a")).toThrow(code("EEXIST"));
    expect(store.rev()).toBe(2);
  });

  storeTest(suite, "a number is never used twice", (store) => {
    const first = file(store, ROOT_INO, "a");
    store.unlink(ROOT_INO, "a");
    expect(file(store, ROOT_INO, "a")).toBeGreaterThan(first);
    expect(() => store.getattr(first)).toThrow(code("ENOENT"));
  });

  storeTest(suite, "hard links are one inode, whichever of its names goes", (store) => {
    const sub = directory(store, ROOT_INO, "d");
    const ino = file(store, ROOT_INO, "a");
    store.link(ino, sub, "b");
    expect(store.link(ino, sub, "c").nlink).toBe(3);
    expect(store.paths(ino)).toEqual(["/a", "/d/b", "/d/c"]);
    store.unlink(ROOT_INO, "a");
    store.write(ino, 0, bytes("z"));
    expect(store.lookup(sub, "b")).toMatchObject({ ino, nlink: 2 });
    expect(store.paths(ino).toSorted()).toEqual(["/d/b", "/d/c"]);
    store.rename(sub, "b", ROOT_INO, "e");
    expect(store.paths(ino).toSorted()).toEqual(["/d/c", "/e"]);
    store.removeTree(ROOT_INO, "d");
    expect(store.paths(ino)).toEqual(["/e"]);
    expect(store.getattr(ino).nlink).toBe(1);
    expect(text(store, ino)).toBe("z");
    expect(() => store.link(sub, ROOT_INO, "x")).toThrow(code("ENOENT"));
    expect(() => store.link(directory(store, ROOT_INO, "dir"), ROOT_INO, "x")).toThrow(code("EPERM"));
  });

  storeTest(suite, "both names in one removed directory go", (store) => {
    const sub = directory(store, ROOT_INO, "d");
    const ino = file(store, sub, "a");
    store.link(ino, sub, "b");
    store.removeTree(ROOT_INO, "d");
    expect(() => store.getattr(ino)).toThrow(code("ENOENT"));
    expect(store.statfs()).toMatchObject({ inodes: 1 });
  });

  storeTest(suite, "a held inode outlives its last name until it is released", (store) => {
    const ino = file(store, ROOT_INO, "a", "hello");
    store.hold(ino);
    store.hold(ino);
    store.unlink(ROOT_INO, "a");
    expect(store.getattr(ino).nlink).toBe(0);
    expect(store.paths(ino)).toEqual([]);
    store.write(ino, 5, bytes("!"));
    expect(text(store, ino)).toBe("hello!");
    expect(() => store.link(ino, ROOT_INO, "again")).toThrow(code("ENOENT"));
    store.release(ino);
    expect(text(store, ino)).toBe("hello!");
    store.release(ino);
    expect(() => store.getattr(ino)).toThrow(code("ENOENT"));
  });

  storeTest(suite, "rename replaces a file and an empty directory, and refuses the rest", (store) => {
    const full = directory(store, ROOT_INO, "full");
    const inside = directory(store, full, "inside");
    const empty = directory(store, ROOT_INO, "empty");
    const a = file(store, ROOT_INO, "a");
    file(store, ROOT_INO, "b");
    expect(() => store.rename(ROOT_INO, "a", ROOT_INO, "full")).toThrow(code("EISDIR"));
    expect(() => store.rename(ROOT_INO, "full", ROOT_INO, "a")).toThrow(code("ENOTDIR"));
    expect(() => store.rename(ROOT_INO, "empty", ROOT_INO, "full")).toThrow(code("ENOTEMPTY"));
    expect(() => store.rename(ROOT_INO, "full", inside, "x")).toThrow(code("EINVAL"));
    file(store, inside, "deep");
    expect(() => store.rename(inside, "deep", ROOT_INO, "full")).toThrow(code("ENOTEMPTY"));
    store.unlink(inside, "deep");
    expect(() => store.rename(ROOT_INO, "none", ROOT_INO, "x")).toThrow(code("ENOENT"));
    expect(() => store.rename(ROOT_INO, "a", ROOT_INO, "b", { noReplace: true })).toThrow(code("EEXIST"));
    const before = store.rev();
    store.rename(ROOT_INO, "a", ROOT_INO, "b");
    store.rename(ROOT_INO, "full", ROOT_INO, "empty");
    expect(store.rev()).toBe(before + 2);
    expect(names(store)).toEqual(["b", "empty"]);
    expect(store.lookup(ROOT_INO, "b")?.ino).toBe(a);
    expect(store.paths(inside)).toEqual(["/empty/inside"]);
    expect(() => store.getattr(empty)).toThrow(code("ENOENT"));
    expect(store.getattr(ROOT_INO).nlink).toBe(3);
  });

  storeTest(suite, "F-06 rename between two names of one inode leaves both", (store) => {
    const ino = file(store, ROOT_INO, "a");
    store.link(ino, ROOT_INO, "b");
    const before = store.rev();
    store.rename(ROOT_INO, "a", ROOT_INO, "b");
    expect(names(store)).toEqual(["a", "b"]);
    expect(store.rev()).toBe(before);
  });

  storeTest(suite, "rename exchanges a file and a directory", (store) => {
    const one = directory(store, ROOT_INO, "one");
    const two = directory(store, ROOT_INO, "two");
    const sub = directory(store, one, "x");
    const f = file(store, two, "y");
    store.rename(one, "x", two, "y", { exchange: true });
    expect(store.paths(sub)).toEqual(["/two/y"]);
    expect(store.paths(f)).toEqual(["/one/x"]);
    expect([store.getattr(one).nlink, store.getattr(two).nlink]).toEqual([2, 3]);
    expect(() => store.rename(one, "x", two, "none", { exchange: true })).toThrow(code("ENOENT"));
  });

  storeTest(suite, "F-17 a change of names is a change of the directory, not of what is named", (store) => {
    const sub = directory(store, ROOT_INO, "d");
    const ino = file(store, sub, "a");
    const stamp = (attr: Attr) => [attr.mtime, attr.mtimeNs];
    store.setattr(sub, { mtime: 1 });
    store.setattr(ino, { mtime: 2 });
    store.rename(sub, "a", sub, "b");
    expect(stamp(store.getattr(sub))).not.toEqual([1, 0]);
    expect(stamp(store.getattr(ino))).toEqual([2, 0]);
    store.setattr(sub, { mtime: 1 });
    store.unlink(sub, "b");
    expect(stamp(store.getattr(sub))).not.toEqual([1, 0]);
  });

  storeTest(suite, "unlink, rmdir and removeTree take what they are for", (store) => {
    const sub = directory(store, ROOT_INO, "d");
    file(store, sub, "a");
    store.create(ROOT_INO, "l", { kind: "symlink", mode: 0o777, target: "d" });
    expect(store.readlink(store.lookup(ROOT_INO, "l")!.ino)).toBe("d");
    expect(() => store.readlink(sub)).toThrow(code("EINVAL"));
    expect(() => store.unlink(ROOT_INO, "d")).toThrow(code("EISDIR"));
    expect(() => store.rmdir(ROOT_INO, "l")).toThrow(code("ENOTDIR"));
    expect(() => store.rmdir(ROOT_INO, "d")).toThrow(code("ENOTEMPTY"));
    expect(() => store.unlink(ROOT_INO, "none")).toThrow(code("ENOENT"));
    const before = store.rev();
    store.removeTree(ROOT_INO, "l");
    store.removeTree(ROOT_INO, "d");
    expect(store.rev()).toBe(before + 2);
    expect(names(store)).toEqual([]);
    expect(store.statfs()).toMatchObject({ inodes: 1 });
  });
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const at = a.findIndex((byte, i) => byte !== b[i]);
  return at < 0 || at >= b.length ? a.length - b.length : a[at]! - b[at]!;
}

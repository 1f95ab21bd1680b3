/** Read-only roots: every door is shut, and nothing beside them is. */

import { expect } from "vitest";
import { ROOT_INO } from "../../inode-store.ts";
import { bytes, directory, file, names, type StoreSuite, storeTest, tree } from "./context.ts";

const code = (value: string) => expect.objectContaining({ code: value });

export function testReadOnlyRoots(suite: StoreSuite): void {
  storeTest(suite, "M-05 every mutation under a read-only root is EROFS", (store) => {
    const above = directory(store, ROOT_INO, "w");
    const root = directory(store, above, "ro");
    const sub = directory(store, root, "sub");
    const inside = file(store, sub, "f");
    const outside = file(store, above, "free");
    store.setReadOnlyRoots(["/w/ro"]);
    const before = tree(store);
    const mutations: (() => unknown)[] = [
      () => file(store, root, "new"),
      () => directory(store, sub, "new"),
      () => store.create(sub, "l", { kind: "symlink", mode: 0o777, target: "f" }),
      () => store.link(outside, sub, "hard"),
      () => store.link(inside, above, "hard"),
      () => store.unlink(sub, "f"),
      () => store.removeTree(root, "sub"),
      () => store.rename(sub, "f", above, "out"),
      () => store.rename(above, "free", sub, "in"),
      () => store.rename(above, "free", sub, "f", { exchange: true }),
      () => store.write(inside, 0, bytes("x")),
      () => store.replace(inside, bytes("x")),
      () => store.setattr(inside, { mode: 0o600 }),
      () => store.setattr(root, { mode: 0o700 }),
      () => store.setattr(inside, { size: 0 }),
    ];
    for (const mutation of mutations) expect(mutation).toThrow(code("EROFS"));
    for (const move of [
      () => store.rename(above, "ro", above, "elsewhere"),
      () => store.rename(ROOT_INO, "w", ROOT_INO, "v"),
      () => store.removeTree(ROOT_INO, "w"),
    ]) {
      expect(move).toThrow(code("EBUSY"));
    }
    const entry = { rev: 1, path: "/w/ro/sub/f", mode: 0o644, mtime: 1, size: 1, chunks: [], data: bytes("y") };
    const outcome = store.apply(
      [
        { kind: "file", ...entry },
        { kind: "delete", rev: 2, path: "/w/ro/sub" },
        { kind: "delete", rev: 2, path: "/w" },
      ],
      { peer: "p" },
    );
    expect(outcome).toMatchObject({ applied: 0 });
    expect(outcome.refused.map(({ op, reason, mountRoot }) => [op, reason, mountRoot])).toEqual([
      ["write", "read-only", "/w/ro"],
      ["delete", "read-only", "/w/ro"],
      ["delete", "read-only", ""],
    ]);
    expect(tree(store)).toEqual(before);
    expect(store.readOnlyRoots()).toEqual(["/w/ro"]);
    const owner = { peer: "p", overReadOnly: true };
    expect(store.apply([{ kind: "file", ...entry }], owner)).toMatchObject({ applied: 1, refused: [] });
    expect(store.apply([{ kind: "delete", rev: 2, path: "/w/ro/sub" }], owner)).toMatchObject({ applied: 1 });
    expect(names(store, root)).toEqual([]);
    file(store, above, "ro2");
    expect(names(store, above)).toEqual(["free", "ro", "ro2"]);
    store.setReadOnlyRoots([]);
    store.removeTree(ROOT_INO, "w");
  });
}

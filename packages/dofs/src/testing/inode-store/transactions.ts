/** Transactions: what is undone together, and who is told. */

import { expect } from "vitest";
import { ROOT_INO } from "../../inode-store.ts";
import { CHUNK_BYTES } from "../../store/chunks.ts";
import { expectSameBytes } from "../same-bytes.ts";
import { bytes, directory, file, names, pattern, type StoreSuite, storeTest, text, tree } from "./context.ts";

export function testTransactions(suite: StoreSuite): void {
  storeTest(suite, "a transaction that throws leaves nothing behind", (store) => {
    const sub = directory(store, ROOT_INO, "d");
    const small = file(store, sub, "small", "before");
    const { ino: large } = store.create(sub, "large", { kind: "file", mode: 0o644, content: pattern(3 * CHUNK_BYTES) });
    store.link(small, sub, "linked");
    const before = tree(store);
    const { rev, totals } = { rev: store.rev(), totals: store.statfs() };
    const failing = () =>
      store.transaction(() => {
        store.write(small, 0, bytes("after!!!"));
        store.write(large, CHUNK_BYTES - 1, bytes("xyz"));
        store.setattr(large, { size: 5 });
        store.replace(small, bytes("again"));
        store.rename(sub, "small", ROOT_INO, "moved");
        store.unlink(sub, "linked");
        file(store, sub, "new");
        store.removeTree(ROOT_INO, "d");
        store.setPeer("p", { sent: { rev: 1, path: null }, received: { rev: 2, path: null } });
        expect(names(store)).toEqual(["moved"]);
        throw new Error("undo this");
      });
    expect(failing).toThrow("undo this");
    expect(tree(store)).toEqual(before);
    expect(store.rev()).toBe(rev);
    expect(store.statfs()).toEqual(totals);
    expect(store.peer("p")).toBeUndefined();
    expectSameBytes(store.read(large, 0, 4 * CHUNK_BYTES), pattern(3 * CHUNK_BYTES));
    expect(store.paths(small).toSorted()).toEqual(["/d/linked", "/d/small"]);
  });

  storeTest(suite, "an inner transaction that throws undoes only itself", (store) => {
    store.transaction(() => {
      file(store, ROOT_INO, "a", "kept");
      expect(() =>
        store.transaction(() => {
          file(store, ROOT_INO, "b");
          store.write(store.lookup(ROOT_INO, "a")!.ino, 0, bytes("lost"));
          throw new Error("inner");
        }),
      ).toThrow("inner");
      file(store, ROOT_INO, "c");
    });
    expect(names(store)).toEqual(["a", "c"]);
    expect(text(store, store.lookup(ROOT_INO, "a")!.ino)).toBe("kept");
    expect(store.rev()).toBe(2);
  });

  storeTest(suite, "a subscriber hears once, after the outermost transaction, and not of what was undone", (store) => {
    const heard: number[] = [];
    const stop = store.subscribe((rev) => heard.push(rev));
    file(store, ROOT_INO, "a");
    store.transaction(() => {
      file(store, ROOT_INO, "b");
      file(store, ROOT_INO, "c");
      expect(heard).toEqual([1]);
    });
    expect(() =>
      store.transaction(() => {
        file(store, ROOT_INO, "d");
        throw new Error("undone");
      }),
    ).toThrow("undone");
    store.lookup(ROOT_INO, "a");
    expect(heard).toEqual([1, 3]);
    stop();
    file(store, ROOT_INO, "e");
    expect(heard).toEqual([1, 3]);
  });
}

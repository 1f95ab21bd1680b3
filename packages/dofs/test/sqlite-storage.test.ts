import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type NodeStorage, openNodeStorage } from "../src/node/index.ts";

function rows(storage: NodeStorage, query: string, ...bindings: unknown[]): unknown[] {
  return storage.sql.exec(query, ...bindings).toArray();
}

describe("openNodeStorage gives what a Durable Object gives", () => {
  test("BLOBs are ArrayBuffers, whatever kind of bytes was bound", () => {
    const storage = openNodeStorage();
    const view = new Uint8Array([1, 2, 3]).subarray(1);
    const [row] = rows(storage, "SELECT ? AS a, ? AS b, x'' AS c", view, new Uint8Array([9]).buffer) as [
      Record<"a" | "b" | "c", ArrayBuffer>,
    ];
    expect(row.a).toBeInstanceOf(ArrayBuffer);
    expect([...new Uint8Array(row.a)]).toEqual([2, 3]);
    expect([...new Uint8Array(row.b)]).toEqual([9]);
    expect(row.c.byteLength).toBe(0);
  });

  test("numbers are bound as reals, undefined as NULL, a bigint not at all", () => {
    const storage = openNodeStorage();
    expect(rows(storage, "SELECT typeof(?) AS t, ? IS NULL AS n", 1, undefined)).toEqual([{ t: "real", n: 1 }]);
    expect(() => rows(storage, "SELECT ?", 1n)).toThrow(TypeError);
  });

  test.each([
    ["101 parameters", `SELECT ${Array(101).fill("?").join(",")}`, "too many SQL variables: SQLITE_ERROR"],
    [
      "a LIKE pattern of 51 bytes",
      `SELECT 'a' LIKE '${"a".repeat(51)}'`,
      "LIKE or GLOB pattern too complex: SQLITE_ERROR",
    ],
    [
      "6 compound terms",
      Array(6).fill("SELECT 1").join(" UNION ALL "),
      "too many terms in compound SELECT: SQLITE_ERROR",
    ],
    ["SQL over 100 KB", `SELECT '${"x".repeat(100_001)}'`, "string or blob too big: SQLITE_TOOBIG"],
    ["an expression deeper than 100", `SELECT ${"(1+".repeat(101)}1${")".repeat(101)}`, "Expression tree is too large"],
    ["BEGIN", "BEGIN", "transactionSync"],
    ["SAVEPOINT", "SAVEPOINT a", "transactionSync"],
    ["ATTACH", "ATTACH ':memory:' AS a", "not authorized: SQLITE_AUTH"],
    ["max_page_count", "PRAGMA max_page_count = 3", "not authorized: SQLITE_AUTH"],
    ["a temporary table", "CREATE TEMP TABLE t(a)", "not authorized: SQLITE_AUTH"],
  ])("refused: %s", (_name, query, message) => {
    expect(() => rows(openNodeStorage(), query)).toThrow(message);
  });

  test("a value over 2 MB is refused, as in production", () => {
    const storage = openNodeStorage();
    storage.sql.exec("CREATE TABLE t(a)");
    expect(() => rows(storage, "INSERT INTO t VALUES (?)", new Uint8Array(2_000_001))).toThrow("SQLITE_TOOBIG");
    expect(() => rows(storage, "INSERT INTO t VALUES (?)", "é".repeat(1_000_001))).toThrow("SQLITE_TOOBIG");
    expect(rows(storage, "SELECT count(*) AS n FROM t")).toEqual([{ n: 0 }]);
  });

  test("foreign keys hold", () => {
    const storage = openNodeStorage();
    storage.sql.exec("CREATE TABLE a(i INTEGER PRIMARY KEY); CREATE TABLE b(i INTEGER REFERENCES a(i));");
    expect(() => rows(storage, "INSERT INTO b VALUES (1)")).toThrow("FOREIGN KEY constraint failed: SQLITE_CONSTRAINT");
  });

  test("several statements run as one script", () => {
    const storage = openNodeStorage();
    storage.sql.exec("CREATE TABLE a(i); INSERT INTO a VALUES (1); INSERT INTO a VALUES (2);");
    expect(rows(storage, "SELECT i FROM a;")).toEqual([{ i: 1 }, { i: 2 }]);
    expect(() => rows(storage, "DELETE FROM a; INSERT INTO a VALUES (?)", 1)).toThrow("one statement at a time");
  });
});

describe("transactions", () => {
  function table(): NodeStorage {
    const storage = openNodeStorage();
    storage.sql.exec("CREATE TABLE t(a)");
    return storage;
  }

  test("an inner one that throws undoes only itself", () => {
    const storage = table();
    storage.transactionSync(() => {
      storage.sql.exec("INSERT INTO t VALUES (1)");
      expect(() =>
        storage.transactionSync(() => {
          storage.sql.exec("INSERT INTO t VALUES (2)");
          throw new Error("inner");
        }),
      ).toThrow("inner");
      storage.transactionSync(() => storage.sql.exec("INSERT INTO t VALUES (3)"));
    });
    expect(rows(storage, "SELECT a FROM t")).toEqual([{ a: 1 }, { a: 3 }]);
  });

  test("an outer one that throws undoes all", () => {
    const storage = table();
    expect(() =>
      storage.transactionSync(() => {
        storage.transactionSync(() => storage.sql.exec("INSERT INTO t VALUES (1)"));
        throw new Error("outer");
      }),
    ).toThrow("outer");
    expect(rows(storage, "SELECT a FROM t")).toEqual([]);
  });
});

describe("faults", () => {
  test("failWith fails one write, after as many as were let pass", () => {
    const storage = openNodeStorage();
    storage.sql.exec("CREATE TABLE t(a)");
    storage.failWith("SQLITE_FULL", 1);
    storage.sql.exec("INSERT INTO t VALUES (1)");
    expect(() => storage.sql.exec("INSERT INTO t VALUES (2)")).toThrow("database or disk is full: SQLITE_FULL");
    storage.sql.exec("INSERT INTO t VALUES (3)");
    expect(storage.clearFault()).toBe(false);
    expect(rows(storage, "SELECT a FROM t")).toEqual([{ a: 1 }, { a: 3 }]);
  });

  test("a database that may not grow is full, and a transaction in it is undone", () => {
    const storage = openNodeStorage();
    storage.sql.exec("CREATE TABLE t(a)");
    storage.limitGrowth(4);
    expect(() =>
      storage.transactionSync(() => {
        for (let i = 0; i < 10; i++) storage.sql.exec("INSERT INTO t VALUES (?)", new Uint8Array(4096));
      }),
    ).toThrow("database or disk is full: SQLITE_FULL");
    expect(rows(storage, "SELECT count(*) AS n FROM t")).toEqual([{ n: 0 }]);
    storage.limitGrowth(null);
    storage.sql.exec("INSERT INTO t VALUES (?)", new Uint8Array(100_000));
  });
});

test("a database in a file is there again when it is opened again", () => {
  const dir = mkdtempSync(join(tmpdir(), "dofs-"));
  try {
    const first = openNodeStorage(join(dir, "db"));
    first.sql.exec("CREATE TABLE t AS SELECT 7 AS a");
    first.close();
    const second = openNodeStorage(join(dir, "db"));
    expect(rows(second, "SELECT a FROM t")).toEqual([{ a: 7 }]);
    second.close();
  } finally {
    rmSync(dir, { recursive: true });
  }
});

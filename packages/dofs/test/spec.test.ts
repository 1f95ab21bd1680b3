import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openNodeStorage } from "../src/node/index.ts";
import { Database } from "../src/sql/database.ts";
import { SCHEMA_VERSION } from "../src/sql/schema.ts";
import { SqlStore } from "../src/store/sql-store.ts";

const spec = readFileSync(`${import.meta.dirname}/../SPEC.md`, "utf8");

function liveDatabase(): Database {
  const db = new Database(openNodeStorage());
  SqlStore.open(db, { sha256: (bytes) => createHash("sha256").update(bytes).digest() }).rev();
  return db;
}

test("SPEC.md lists the tables and columns of a live database, with their types", () => {
  const db = liveDatabase();
  const tables = db.all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'vfs_%'");
  const live = tables.flatMap(({ name }) =>
    db
      .all<{ name: string; type: string }>(`PRAGMA table_info(${name})`)
      .map((column) => `${name} ${column.name} ${column.type}`),
  );
  let table = "";
  const told = [...spec.matchAll(/^\| (?:`(vfs_\w+)`)? ?\| `(\w+)` \| ([A-Z]+) \|/gm)].map(
    ([, named, column, type]) => {
      table = named ?? table;
      return `${table} ${column} ${type}`;
    },
  );
  expect(told.toSorted()).toEqual(live.toSorted());
  expect(told.length).toBeGreaterThan(30);
});

test("SPEC.md names the indices and the version", () => {
  const db = liveDatabase();
  const indices = db.all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL");
  for (const { name } of indices) expect(spec).toContain(`\`${name}\``);
  expect([...spec.matchAll(/`(vfs_\w+)` on/g)].map(([, name]) => name).toSorted()).toEqual(
    indices.map(({ name }) => name).toSorted(),
  );
  expect(spec).toContain(`Version ${SCHEMA_VERSION} of the schema.`);
});

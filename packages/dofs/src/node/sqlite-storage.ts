/** A Durable Object's SQLite storage on Node: node:sqlite, held to the limits that Durable Objects have. */

import { constants, DatabaseSync, type StatementSync } from "node:sqlite";
import type { DurableObjectStorageLike, SQLCursorLike, SQLStorageLike } from "../sql/database.ts";

/** The limits of a Durable Object's database; `length` is the bytes of a value or a row, enforced in production only there. */
const LIMITS = {
  length: 2_000_000,
  sqlLength: 100_000,
  variableNumber: 100,
  likePatternLength: 50,
  compoundSelect: 5,
  exprDepth: 100,
};

const ALLOWED_PRAGMAS = new Set([
  "data_version",
  "defer_foreign_keys",
  "foreign_key_check",
  "foreign_key_list",
  "foreign_keys",
  "function_list",
  "index_info",
  "index_list",
  "index_xinfo",
  "optimize",
  "quick_check",
  "table_info",
  "table_list",
  "table_xinfo",
]);

const RESULT_CODES: Record<number, string> = {
  1: "SQLITE_ERROR",
  7: "SQLITE_NOMEM",
  10: "SQLITE_IOERR",
  11: "SQLITE_CORRUPT",
  13: "SQLITE_FULL",
  18: "SQLITE_TOOBIG",
  19: "SQLITE_CONSTRAINT",
  20: "SQLITE_MISMATCH",
  23: "SQLITE_AUTH",
};

const FAULTS = {
  SQLITE_FULL: "database or disk is full",
  SQLITE_IOERR: "disk I/O error",
  SQLITE_NOMEM: "out of memory",
} as const;

/** A fault that can be injected. */
export type StorageFault = keyof typeof FAULTS;

const NO_TRANSACTIONS =
  "To execute a transaction, please use the state.storage.transaction() or state.storage.transactionSync() APIs instead " +
  "of the SQL BEGIN TRANSACTION or SAVEPOINT statements.";

const STATEMENTS_KEPT = 256;

/** A Durable Object's storage over one SQLite database of Node's. */
export interface NodeStorage extends DurableObjectStorageLike {
  readonly sql: SQLStorageLike;
  /** Runs `closure` so that it all happens or, if it throws, nothing of it. Nests. */
  transactionSync<T>(closure: () => T): T;
  /** Lets `after` more INSERT and UPDATE statements pass, then fails one, once, with the error a Durable Object gives. */
  failWith(fault: StorageFault, after?: number): void;
  /** Forgets a fault that has not come yet; says whether there was one. */
  clearFault(): boolean;
  /** The database may grow by this many pages of 4 KiB and is then full; null lifts the bound. */
  limitGrowth(pages: number | null): void;
  close(): void;
}

/**
 * Opens a database as a Durable Object would have it: 100 bound parameters, 100 KB of SQL, LIKE patterns of 50 bytes, 5 terms in a
 * compound SELECT, values of 2 MB, no transactions by SQL, foreign keys on, BLOBs as `ArrayBuffer`. Row counters are undefined.
 *
 * `path` is a file, by default one in memory.
 *
 * @example
 * const db = new Database(openNodeStorage());
 */
export function openNodeStorage(path = ":memory:"): NodeStorage {
  return new SqliteStorage(path);
}

class SqliteStorage implements NodeStorage {
  readonly sql: SQLStorageLike;
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  #depth = 0;
  #own = false;
  #fault: { name: StorageFault; after: number } | undefined;

  constructor(path: string) {
    this.#db = new DatabaseSync(path, { limits: LIMITS, enableForeignKeyConstraints: true });
    this.#db.setAuthorizer((action, subject) => (this.#own || allowed(action, subject) ? 0 : constants.SQLITE_DENY));
    this.sql = { exec: (query, ...bindings) => this.#exec(query, bindings) };
  }

  transactionSync<T>(closure: () => T): T {
    const depth = this.#depth++;
    try {
      this.#command(depth === 0 ? "BEGIN" : `SAVEPOINT s${depth}`);
      try {
        const result = closure();
        this.#command(depth === 0 ? "COMMIT" : `RELEASE s${depth}`);
        return result;
      } catch (error) {
        // SQLite ends a transaction by itself on some errors, a full disk among them.
        if (this.#db.isTransaction) {
          this.#command(depth === 0 ? "ROLLBACK" : `ROLLBACK TO s${depth}`);
          if (depth > 0) this.#command(`RELEASE s${depth}`);
        }
        throw error;
      }
    } finally {
      this.#depth = depth;
    }
  }

  failWith(fault: StorageFault, after = 0): void {
    this.#fault = { name: fault, after };
  }

  clearFault(): boolean {
    const pending = this.#fault !== undefined;
    this.#fault = undefined;
    return pending;
  }

  limitGrowth(pages: number | null): void {
    this.#own = true;
    try {
      const now = Number(Object.values(this.#db.prepare("PRAGMA page_count").get() ?? {})[0]);
      this.#db.exec(`PRAGMA max_page_count = ${pages === null ? 1_073_741_823 : now + pages}`);
    } finally {
      this.#own = false;
    }
  }

  close(): void {
    this.#statements.clear();
    this.#db.close();
  }

  #exec(query: string, bindings: unknown[]): SQLCursorLike<Record<string, unknown>> {
    try {
      this.#injectFault(query);
      if (holdsSeveral(query)) {
        if (bindings.length > 0) throw new Error("Give one statement at a time when it has bindings.");
        this.#db.exec(query);
        return cursor([]);
      }
      const statement = this.#prepare(query);
      return cursor(statement.all(...bindings.map(bound)));
    } catch (error) {
      throw asDurableObject(error, query);
    }
  }

  #prepare(query: string): StatementSync {
    let statement = this.#statements.get(query);
    if (statement === undefined) {
      statement = this.#db.prepare(query);
      if (this.#statements.size >= STATEMENTS_KEPT) this.#statements.clear();
      this.#statements.set(query, statement);
    }
    return statement;
  }

  #injectFault(query: string): void {
    if (this.#fault === undefined || !/^\s*(INSERT|UPDATE|REPLACE)\b/i.test(query)) return;
    if (this.#fault.after-- > 0) return;
    const { name } = this.#fault;
    this.#fault = undefined;
    throw new Error(`${FAULTS[name]}: ${name}`);
  }

  #command(query: string): void {
    this.#own = true;
    try {
      this.#db.exec(query);
    } finally {
      this.#own = false;
    }
  }
}

function allowed(action: number, subject: string | null): boolean {
  switch (action) {
    case constants.SQLITE_TRANSACTION:
    case constants.SQLITE_SAVEPOINT:
    case constants.SQLITE_ATTACH:
    case constants.SQLITE_DETACH:
    case constants.SQLITE_CREATE_TEMP_TABLE:
      return false;
    case constants.SQLITE_PRAGMA:
      return ALLOWED_PRAGMAS.has(subject ?? "");
    default:
      return true;
  }
}

/** node:sqlite prepares the first statement and drops the rest in silence. */
function holdsSeveral(query: string): boolean {
  const end = query.trimEnd().replace(/;+$/, "");
  return end.includes(";") && !/^\s*(SELECT|WITH)\b/i.test(end);
}

function bound(value: unknown): string | number | null | Uint8Array {
  if (value === null || value === undefined) return null;
  if (typeof value === "number") return value;
  if (typeof value === "bigint") throw new TypeError("Cannot convert a BigInt value to a number");
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return String(value);
}

function cursor(rows: Record<string, unknown>[]): SQLCursorLike<Record<string, unknown>> {
  for (const row of rows) {
    for (const column in row) {
      const value = row[column];
      if (value instanceof Uint8Array) row[column] = ownBuffer(value);
    }
  }
  return { toArray: () => rows };
}

function ownBuffer(bytes: Uint8Array): ArrayBufferLike {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes.buffer : bytes.slice().buffer;
}

function asDurableObject(error: unknown, query: string): unknown {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return error;
  if (error.errcode === 23 && /^\s*(BEGIN|SAVEPOINT|COMMIT|END|ROLLBACK|RELEASE)\b/i.test(query)) {
    return new Error(NO_TRANSACTIONS, { cause: error });
  }
  const code = RESULT_CODES[error.errcode & 0xff] ?? `SQLITE_${error.errcode & 0xff}`;
  return new Error(`${error.message}: ${code}`, { cause: error });
}

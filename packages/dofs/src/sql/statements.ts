/** Statements run for the filesystem, with a full database told as `ENOSPC`. */

import { FsError } from "../fs-error.ts";
import type { Database, SQLCursorLike } from "./database.ts";

/** The largest value or row that SQLite in a Durable Object takes, in bytes; enforced only where it is deployed. */
const MAX_VALUE_BYTES = 2_000_000;

type Binding = string | number | null | Uint8Array;

export class Statements {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  run(query: string, ...bindings: Binding[]): void {
    this.all(query, ...bindings);
  }

  all<Row extends object>(query: string, ...bindings: Binding[]): Row[] {
    return this.#exec(query, bindings, (cursor) => cursor.toArray());
  }

  one<Row extends object>(query: string, ...bindings: Binding[]): Row | undefined {
    return this.all<Row>(query, ...bindings)[0];
  }

  /** Rows as arrays of their columns, for statements that give many; no two columns may have one name. */
  arrays<Row extends unknown[]>(query: string, ...bindings: Binding[]): Row[] {
    return this.#exec(query, bindings, (cursor) =>
      cursor.raw === undefined ? cursor.toArray().map((row) => Object.values(row)) : [...cursor.raw()],
    );
  }

  #exec<T>(query: string, bindings: Binding[], read: (cursor: SQLCursorLike) => unknown[]): T[] {
    for (const value of bindings) {
      if (value instanceof Uint8Array && value.length > MAX_VALUE_BYTES) throw new FsError("EFBIG");
    }
    try {
      return read(this.#db.sql.exec(query, ...bindings)) as T[];
    } catch (error) {
      if (error instanceof Error && /SQLITE_FULL|database or disk is full/.test(error.message)) {
        throw new FsError("ENOSPC", { cause: error });
      }
      throw error;
    }
  }
}

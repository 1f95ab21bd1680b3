/** Statements run for the filesystem, with a full database told as `ENOSPC`. */

import { FsError } from "../fs-error.ts";
import type { Database } from "./database.ts";

/** The largest value or row that SQLite in a Durable Object takes, in bytes; enforced only where it is deployed. */
const MAX_VALUE_BYTES = 2_000_000;

export class Statements {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  run(query: string, ...bindings: (string | number | null | Uint8Array)[]): void {
    this.all(query, ...bindings);
  }

  all<Row extends object>(query: string, ...bindings: (string | number | null | Uint8Array)[]): Row[] {
    for (const value of bindings) {
      if (value instanceof Uint8Array && value.length > MAX_VALUE_BYTES) throw new FsError("EFBIG");
    }
    try {
      return this.#db.all<Row>(query, ...bindings);
    } catch (error) {
      if (error instanceof Error && /SQLITE_FULL|database or disk is full/.test(error.message)) {
        throw new FsError("ENOSPC", { cause: error });
      }
      throw error;
    }
  }

  one<Row extends object>(query: string, ...bindings: (string | number | null | Uint8Array)[]): Row | undefined {
    return this.all<Row>(query, ...bindings)[0];
  }
}

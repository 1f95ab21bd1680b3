/** The filesystem in a Durable Object's SQLite: the truth that everything else copies. */

import type { Database } from "../sql/database.ts";
import type { Sha256 } from "./chunks.ts";
import { SqlRows } from "./sql-rows.ts";
import { TreeStore, type TreeStoreOptions } from "./tree-store.ts";

export interface SqlStoreOptions extends TreeStoreOptions {
  readonly sha256: Sha256;
}

const stores = new WeakMap<Database, SqlStore>();

/**
 * Keeps files, directories and symlinks whose names are UTF-8. Makes its tables at the first use; a newer schema than this
 * code knows is refused with a {@link SchemaError}.
 *
 * There is one store for a database, since it remembers what it has read.
 */
export class SqlStore extends TreeStore {
  readonly #db: Database;
  readonly #rows: SqlRows;

  private constructor(db: Database, options: SqlStoreOptions) {
    const rows = new SqlRows(db, options.sha256, options.now ?? Date.now);
    super(rows, options);
    this.#db = db;
    this.#rows = rows;
  }

  /** The store of a database; the options count when it is opened first. */
  static open(db: Database, options: SqlStoreOptions): SqlStore {
    const store = stores.get(db) ?? new SqlStore(db, options);
    stores.set(db, store);
    return store;
  }

  /** The store that was opened over a database; `TypeError` where none was. */
  static of(db: Database): SqlStore {
    const store = stores.get(db);
    if (store === undefined)
      throw new TypeError("No filesystem is open over this database: call SqlStore.open(db, { sha256 }) first.");
    return store;
  }

  /** How many inodes and names it holds in memory of what it has read: bounded, however many there are. */
  remembered(): { inodes: number; names: number } {
    return this.#rows.remembered();
  }

  protected override afterCommit(notify: () => void): void {
    this.#db.afterCommit(notify);
  }
}

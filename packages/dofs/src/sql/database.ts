/** A Durable Object's SQLite storage as the filesystem uses it: statements, rows, and transactions that nest. */

/** What `sql.exec` gives; the counters are a Durable Object's. */
export interface SQLCursorLike<Row extends object = Record<string, unknown>> {
  toArray(): Row[];
  /** The rows as arrays of their columns, which cost less than objects. */
  // biome-ignore lint/suspicious/noExplicitAny: the platform's own signature is generic over column values
  raw?(): Iterable<any[]>;
  readonly rowsRead?: number;
  readonly rowsWritten?: number;
}

export interface SQLStorageLike {
  // biome-ignore lint/suspicious/noExplicitAny: the platform's own cursor is generic over rows of column values
  exec(query: string, ...bindings: any[]): SQLCursorLike<any>;
  /** Bytes the database takes. */
  readonly databaseSize?: number;
}

/** The part of `ctx.storage` that is used; a `DurableObjectStorage` is one. */
export interface DurableObjectStorageLike {
  sql: SQLStorageLike;
  transaction?<T>(closure: () => T | Promise<T>): T | Promise<T>;
  transactionSync?<T>(closure: () => T): T;
}

/**
 * Statements over one storage. Transactions are synchronous; an inner one that throws undoes only itself.
 *
 * Transactions around filesystem calls go through `transactionSync` of this class, which tells the filesystem when one was undone.
 */
export class Database {
  readonly sql: SQLStorageLike;
  readonly transactionSync: <T>(closure: () => T) => T;
  inTransaction = false;
  readonly #rollbackListeners = new Set<() => void>();
  #afterCommit: (() => void)[] = [];

  /** `storage` must have `transactionSync`, as a Durable Object with SQLite has it; otherwise `TypeError`. */
  constructor(storage: DurableObjectStorageLike) {
    const outer = storage.transactionSync?.bind(storage);
    if (outer === undefined) {
      throw new TypeError(
        "The storage has no transactionSync: give a Durable Object's ctx.storage, its class listed under new_sqlite_classes in the Worker's migrations.",
      );
    }
    this.sql = storage.sql;
    this.transactionSync = <T>(closure: () => T): T => {
      const before = this.inTransaction;
      const waiting = this.#afterCommit.length;
      this.inTransaction = true;
      let result: T;
      try {
        result = outer(closure);
      } catch (error) {
        this.#afterCommit.length = waiting;
        for (const listener of this.#rollbackListeners) listener();
        throw error;
      } finally {
        this.inTransaction = before;
      }
      if (!before) for (const run of this.#afterCommit.splice(0)) run();
      return result;
    };
  }

  /** Calls the listener after each transaction, inner ones too, that was undone. */
  onRollback(listener: () => void): void {
    this.#rollbackListeners.add(listener);
  }

  /** Runs `fn` once the outermost transaction is through, at once outside of one; never where it is undone. */
  afterCommit(fn: () => void): void {
    if (this.inTransaction) this.#afterCommit.push(fn);
    else fn();
  }

  run(query: string, ...bindings: unknown[]): void {
    this.sql.exec(query, ...bindings);
  }

  all<Row extends object>(query: string, ...bindings: unknown[]): Row[] {
    return this.sql.exec(query, ...bindings).toArray();
  }

  one<Row extends object>(query: string, ...bindings: unknown[]): Row | undefined {
    return this.all<Row>(query, ...bindings)[0];
  }

  /** The first column of the first row. */
  scalar<T>(query: string, ...bindings: unknown[]): T | undefined {
    const row = this.one<Record<string, T>>(query, ...bindings);
    return row === undefined ? undefined : Object.values(row)[0];
  }
}

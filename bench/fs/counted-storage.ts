/** A Durable Object's storage that counts statements and the rows they read and write. */

export interface Rows {
  statements: number;
  read: number;
  written: number;
}

export class CountedStorage {
  readonly sql: { exec(query: string, ...bindings: unknown[]): SqlStorageCursor<Record<string, SqlStorageValue>> };
  readonly transactionSync: <T>(closure: () => T) => T;
  readonly transaction: <T>(closure: () => T | Promise<T>) => Promise<T>;
  #cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];

  constructor(storage: DurableObjectStorage) {
    const { sql } = storage;
    this.sql = {
      exec: (query, ...bindings) => {
        const cursor = sql.exec(query, ...bindings);
        this.#cursors.push(cursor);
        return cursor;
      },
      get databaseSize() {
        return sql.databaseSize;
      },
    } as CountedStorage["sql"];
    this.transactionSync = (closure) => storage.transactionSync(closure);
    this.transaction = (closure) => storage.transaction(async () => closure());
  }

  /** What the statements since the last call came to. */
  take(): Rows {
    const rows: Rows = { statements: this.#cursors.length, read: 0, written: 0 };
    for (const cursor of this.#cursors) {
      rows.read += cursor.rowsRead;
      rows.written += cursor.rowsWritten;
    }
    this.#cursors = [];
    return rows;
  }
}

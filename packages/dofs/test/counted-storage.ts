/** A Durable Object's storage that counts the rows its statements read and write, and the bytes they carry. */

import type { DurableObjectStorageLike, SQLCursorLike } from "../src/sql/database.ts";

export interface Rows {
  statements: number;
  read: number;
  written: number;
}

export class CountedStorage implements DurableObjectStorageLike {
  readonly sql: DurableObjectStorageLike["sql"];
  readonly transactionSync: <T>(closure: () => T) => T;
  /** Bytes of blobs bound to statements so far. */
  bytesBound = 0;
  /** Bytes of blobs in the rows that statements gave so far. */
  bytesGiven = 0;
  /** The most bytes that one statement took or gave. */
  largest = 0;
  #cursors: SQLCursorLike[] = [];

  constructor(storage: DurableObjectStorage) {
    this.transactionSync = (closure) => storage.transactionSync(closure);
    this.sql = {
      exec: (query, ...bindings) => {
        const bound = bindings.reduce((sum: number, value) => sum + size(value), 0);
        this.bytesBound += bound;
        this.largest = Math.max(this.largest, bound);
        const cursor = storage.sql.exec(query, ...bindings);
        this.#cursors.push(cursor);
        return {
          toArray: () => {
            const rows = cursor.toArray();
            const given = rows.reduce(
              (sum, row) => sum + Object.values(row).reduce((s: number, v) => s + size(v), 0),
              0,
            );
            this.bytesGiven += given;
            this.largest = Math.max(this.largest, given);
            return rows;
          },
        };
      },
    };
  }

  /** What the statements of `operation` came to. */
  count(operation: () => unknown): Rows {
    this.#cursors = [];
    operation();
    const rows: Rows = { statements: this.#cursors.length, read: 0, written: 0 };
    for (const cursor of this.#cursors) {
      rows.read += cursor.rowsRead ?? Number.NaN;
      rows.written += cursor.rowsWritten ?? Number.NaN;
    }
    this.#cursors = [];
    return rows;
  }
}

function size(value: unknown): number {
  return value instanceof ArrayBuffer || ArrayBuffer.isView(value) ? value.byteLength : 0;
}

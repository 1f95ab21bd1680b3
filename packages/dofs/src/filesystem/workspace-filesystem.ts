/** The path API over the files in a Durable Object's database. */

import type { Database } from "../sql/database.ts";
import { SqlStore } from "../store/sql-store.ts";
import { FileSystem } from "./file-system.ts";

export interface WorkspaceFilesystemOptions {
  /** Milliseconds since 1970, for those who ask this filesystem. Its files' times are by the clock given to `SqlStore.open`. */
  now?: (() => number) | undefined;
}

/** A {@link FileSystem} of the store that was opened over a database; `TypeError` where none was. */
export class WorkspaceFilesystem extends FileSystem {
  readonly db: Database;
  readonly now: () => number;

  constructor(db: Database, options: WorkspaceFilesystemOptions = {}) {
    super(SqlStore.of(db));
    this.db = db;
    this.now = options.now ?? Date.now;
  }
}

/** The provider over a Durable Object's filesystem. */

import type { Database } from "../sql/database.ts";
import { SqlStore } from "../store/sql-store.ts";
import { StoreProvider, type StoreProviderOptions } from "./store-provider.ts";

export type SQLiteWorkspaceProviderOptions = StoreProviderOptions;

/**
 * Node's `fs` over the filesystem that is open over a database; `TypeError` where none is.
 *
 * @example
 * const provider = new SQLiteWorkspaceProvider(db);
 * await git.init({ fs: { promises: provider }, dir: "/workspace" });
 */
export class SQLiteWorkspaceProvider extends StoreProvider {
  readonly db: Database;

  constructor(db: Database, options?: SQLiteWorkspaceProviderOptions) {
    super(SqlStore.of(db), options);
    this.db = db;
  }
}

/** Which mounts a workspace has brought over, in its database. */

import type { Database } from "@cloudflare/dofs";

export interface MountRecord {
  readonly root: string;
  readonly kind: string;
  readonly mode: "read-only" | "read-write";
  /** Null for one that does not say. */
  readonly version: string | null;
}

const TABLE =
  "CREATE TABLE IF NOT EXISTS computer_mounts (root TEXT PRIMARY KEY, kind TEXT NOT NULL, mode TEXT NOT NULL, version TEXT) WITHOUT ROWID";
const SELECT_ALL = "SELECT root, kind, mode, version FROM computer_mounts";
const PUT = "INSERT OR REPLACE INTO computer_mounts (root, kind, mode, version) VALUES (?, ?, ?, ?)";
const DELETE = "DELETE FROM computer_mounts WHERE root = ?";

/** A workspace that never had a mount has no table, and is asked for none: to look into the schema would cost a row for each table. */
export class MountRecords {
  readonly #db: Database;
  #isThere = false;

  constructor(db: Database) {
    this.#db = db;
  }

  all(): MountRecord[] {
    try {
      const all = this.#db.all<MountRecord>(SELECT_ALL);
      this.#isThere = true;
      return all;
    } catch (error) {
      if (error instanceof Error && error.message.includes("no such table")) return [];
      throw error;
    }
  }

  put({ root, kind, mode, version }: MountRecord): void {
    if (!this.#isThere) this.#db.run(TABLE);
    this.#isThere = true;
    this.#db.run(PUT, root, kind, mode, version);
  }

  remove(root: string): void {
    this.#db.run(DELETE, root);
  }
}

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
const IS_THERE = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'computer_mounts'";
const SELECT_ALL = "SELECT root, kind, mode, version FROM computer_mounts";
const PUT = "INSERT OR REPLACE INTO computer_mounts (root, kind, mode, version) VALUES (?, ?, ?, ?)";
const DELETE = "DELETE FROM computer_mounts WHERE root = ?";

export class MountRecords {
  readonly #db: Database;
  #isThere: boolean;

  constructor(db: Database) {
    this.#db = db;
    this.#isThere = db.scalar<number>(IS_THERE) === 1;
  }

  all(): MountRecord[] {
    return this.#isThere ? this.#db.all<MountRecord>(SELECT_ALL) : [];
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

/** What has been shared by links of the Worker's own, and the key that signs them, in the workspace's database. */

import type { Database } from "@cloudflare/dofs";

/** One file that was shared. */
export interface LinkRecord {
  readonly id: string;
  /** Seconds since 1970. */
  readonly expires: number;
  readonly contentType: string;
  /** The whole header. */
  readonly disposition: string;
}

const KEY_BYTES = 32;

const TABLES = [
  `CREATE TABLE IF NOT EXISTS computer_asset_links (
    id TEXT PRIMARY KEY, expires INTEGER NOT NULL, type TEXT NOT NULL, disposition TEXT NOT NULL) WITHOUT ROWID`,
  "CREATE TABLE IF NOT EXISTS computer_asset_key (one INTEGER PRIMARY KEY CHECK (one = 1), key BLOB NOT NULL)",
];
const INSERT = "INSERT INTO computer_asset_links (id, expires, type, disposition) VALUES (?, ?, ?, ?)";
const SELECT = "SELECT id, expires, type, disposition FROM computer_asset_links WHERE id = ?";
const SELECT_EXPIRED = "SELECT id FROM computer_asset_links WHERE expires <= ?";
const DELETE = "DELETE FROM computer_asset_links WHERE id = ?";
const INSERT_KEY = "INSERT OR IGNORE INTO computer_asset_key (one, key) VALUES (1, ?)";
const SELECT_KEY = "SELECT key FROM computer_asset_key";

export class LinkRecords {
  readonly #db: Database;

  /** Makes its tables where they are not there. */
  constructor(db: Database) {
    this.#db = db;
    for (const table of TABLES) db.run(table);
  }

  add({ id, expires, contentType, disposition }: LinkRecord): void {
    this.#db.run(INSERT, id, expires, contentType, disposition);
  }

  find(id: string): LinkRecord | undefined {
    const row = this.#db.one<{ id: string; expires: number; type: string; disposition: string }>(SELECT, id);
    if (row === undefined) return undefined;
    return { id: row.id, expires: row.expires, contentType: row.type, disposition: row.disposition };
  }

  /** The ids of those that no longer work at a time in seconds since 1970. */
  expired(now: number): string[] {
    return this.#db.all<{ id: string }>(SELECT_EXPIRED, now).map(({ id }) => id);
  }

  remove(id: string): void {
    this.#db.run(DELETE, id);
  }

  /** The key of this workspace, made when it is first asked for. */
  key(): Uint8Array {
    const kept = this.#db.scalar<ArrayBuffer>(SELECT_KEY);
    if (kept !== undefined) return new Uint8Array(kept);
    this.#db.run(INSERT_KEY, crypto.getRandomValues(new Uint8Array(KEY_BYTES)));
    return this.key();
  }
}

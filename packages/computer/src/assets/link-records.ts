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
const IS_THERE = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'computer_asset_key'";
const INSERT = "INSERT INTO computer_asset_links (id, expires, type, disposition) VALUES (?, ?, ?, ?)";
const SELECT = "SELECT id, expires, type, disposition FROM computer_asset_links WHERE id = ?";
const SELECT_EXPIRED = "SELECT id FROM computer_asset_links WHERE expires <= ?";
const DELETE = "DELETE FROM computer_asset_links WHERE id = ?";
const INSERT_KEY = "INSERT INTO computer_asset_key (one, key) VALUES (1, ?)";
const SELECT_KEY = "SELECT key FROM computer_asset_key";

export class LinkRecords {
  readonly #db: Database;
  #isThere: boolean;

  constructor(db: Database) {
    this.#db = db;
    this.#isThere = db.scalar<number>(IS_THERE) === 1;
  }

  add({ id, expires, contentType, disposition }: LinkRecord): void {
    this.#make();
    this.#db.run(INSERT, id, expires, contentType, disposition);
  }

  find(id: string): LinkRecord | undefined {
    if (!this.#isThere) return undefined;
    const row = this.#db.one<{ id: string; expires: number; type: string; disposition: string }>(SELECT, id);
    if (row === undefined) return undefined;
    return { id: row.id, expires: row.expires, contentType: row.type, disposition: row.disposition };
  }

  /** The ids of those that no longer work at a time in seconds since 1970. */
  expired(now: number): string[] {
    if (!this.#isThere) return [];
    return this.#db.all<{ id: string }>(SELECT_EXPIRED, now).map(({ id }) => id);
  }

  remove(id: string): void {
    this.#db.run(DELETE, id);
  }

  /** The key of this workspace; undefined where nothing was ever shared, so that to be asked writes nothing. */
  key(): Uint8Array | undefined {
    const kept = this.#isThere ? this.#db.scalar<ArrayBuffer>(SELECT_KEY) : undefined;
    return kept === undefined ? undefined : new Uint8Array(kept);
  }

  /** The key of this workspace, made where there is none. */
  madeKey(): Uint8Array {
    this.#make();
    const kept = this.key();
    if (kept !== undefined) return kept;
    const key = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
    this.#db.run(INSERT_KEY, key);
    return key;
  }

  #make(): void {
    if (!this.#isThere) for (const table of TABLES) this.#db.run(table);
    this.#isThere = true;
  }
}

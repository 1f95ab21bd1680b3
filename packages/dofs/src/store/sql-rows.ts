/** Rows in a Durable Object's SQLite. Each statement names its cost in rows; the tables are in `sql/schema.ts`. */

import { type Ino, type Listed, type Name, type PeerState, ROOT_INO } from "../inode-store.ts";
import type { Database } from "../sql/database.ts";
import { MIGRATIONS, SCHEMA_VERSION, SchemaError } from "../sql/schema.ts";
import { Statements } from "../sql/statements.ts";
import type { Sha256 } from "./chunks.ts";
import { GenerationCache } from "./generation-cache.ts";
import type { ContentPatch, Contents, InodeRow, LogRow, Place, Rows } from "./rows.ts";
import {
  INODE,
  type InodeColumns,
  inodeRow,
  KINDS,
  type LogColumns,
  logRow,
  type NamedColumns,
} from "./sql-columns.ts";
import { SqlContents } from "./sql-contents.ts";

/** What a Durable Object's database holds at most, in bytes. */
const TOTAL_BYTES = 10_000_000_000;
const CACHED_INODES = 4096;
const CACHED_NAMES = 8192;
/** Log rows that are kept though every peer has passed them, for those who watch. */
const KEPT_ROWS = 4096;
/** Log rows that are kept for a peer that does not come forward. */
const KEPT_FOR_PEERS = 1_000_000;
const PRUNE_EVERY = 1024;

const SELECT_INODE = `SELECT ${INODE} FROM vfs_inode i WHERE i.ino = ?`;
const SELECT_CHILD = `SELECT ${INODE} FROM vfs_dirent d JOIN vfs_inode i ON i.ino = d.ino WHERE d.parent = ? AND d.name = ?`;
const SELECT_CHILDREN = `SELECT ${INODE}, d.name AS entry FROM vfs_dirent d JOIN vfs_inode i ON i.ino = d.ino
  WHERE d.parent = ? AND d.name > ? ORDER BY d.name LIMIT ?`;
const SELECT_ANY_CHILD = "SELECT 1 FROM vfs_dirent WHERE parent = ? LIMIT 1";
const INSERT_INODE = `INSERT INTO vfs_inode (ino, kind, mode, nlink, size, mtime, mtime_ns, ctime, ctime_ns, parent, name, rev, placed,
  content, target, data) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const UPDATE = `UPDATE vfs_inode SET mode = ?, nlink = ?, size = ?, mtime = ?, mtime_ns = ?, ctime = ?, ctime_ns = ?, parent = ?, name = ?,
  rev = ?, placed = ?, content = ?`;
const UPDATE_INODE = `${UPDATE} WHERE ino = ?`;
const UPDATE_INODE_AND_DATA = `${UPDATE}, data = ? WHERE ino = ?`;
const DELETE_INODE = "DELETE FROM vfs_inode WHERE ino = ?";
const SELECT_ORPHANS = `SELECT ${INODE} FROM vfs_inode i WHERE i.nlink = 0`;
/** A page as one text: a row's way out of the database costs more than all that is done with it there. */
const SELECT_ENTRIES = `SELECT json_group_array(json_array(name, ino, kind)) AS page FROM (
  SELECT name, ino, kind FROM vfs_dirent WHERE parent = ? AND name > ? ORDER BY name LIMIT ?)`;
const SELECT_LISTING = `SELECT json_group_array(json_array(name, ino, kind, size, mtime)) AS page FROM (
  SELECT d.name, d.ino, d.kind, i.size, i.mtime FROM vfs_dirent d JOIN vfs_inode i ON i.ino = d.ino
  WHERE d.parent = ? AND d.name > ? ORDER BY d.name LIMIT ?)`;
/** The most rows of such a page: with the longest names, and each of their bytes escaped, it stays below 2 MB. */
const PAGE_ROWS = 1_024;
const PUT_DIRENT = `INSERT INTO vfs_dirent (parent, name, ino, kind) VALUES (?, ?, ?, ?)
  ON CONFLICT (parent, name) DO UPDATE SET ino = excluded.ino, kind = excluded.kind`;
const DELETE_DIRENT = "DELETE FROM vfs_dirent WHERE parent = ? AND name = ?";
const SELECT_NAMES = "SELECT parent, name FROM vfs_name WHERE ino = ?";
const INSERT_NAME = "INSERT INTO vfs_name (ino, parent, name) VALUES (?, ?, ?)";
const DELETE_NAME = "DELETE FROM vfs_name WHERE ino = ? AND parent = ? AND name = ?";
const SELECT_LAST = "SELECT * FROM vfs_log ORDER BY rev DESC LIMIT 1";
const SELECT_FIRST = "SELECT rev FROM vfs_log ORDER BY rev LIMIT 1";
const SELECT_LOG = "SELECT * FROM vfs_log WHERE rev >= ? ORDER BY rev LIMIT ?";
const INSERT_LOG = "INSERT INTO vfs_log (rev, ino, parent, name, origin, inodes, bytes) VALUES (?, ?, ?, ?, ?, ?, ?)";
const DELETE_LOG = "DELETE FROM vfs_log WHERE rev <= ?";
const SELECT_VERSION = "SELECT value FROM vfs_meta WHERE key = 'schema_version'";
const PUT_VERSION = `INSERT INTO vfs_meta (key, value) VALUES ('schema_version', ?)
  ON CONFLICT (key) DO UPDATE SET value = excluded.value`;
const SELECT_PEERS = "SELECT id, state FROM vfs_peer";
const PUT_PEER = "INSERT INTO vfs_peer (id, state) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET state = excluded.state";
const DELETE_PEER = "DELETE FROM vfs_peer WHERE id = ?";

export class SqlRows implements Rows {
  readonly full: boolean = false;
  readonly contents: Contents;
  readonly #db: Database;
  readonly #sql: Statements;
  readonly #contents: SqlContents;
  readonly #now: () => number;
  readonly #inodes: GenerationCache<Ino, InodeRow>;
  /** Inodes by `parent/name`; 0 where nothing has the name. */
  readonly #children: GenerationCache<string, Ino>;
  #opened = false;
  #swept = false;
  #last: LogRow | undefined;
  #first: number | undefined;
  #peers: Map<string, PeerState> | undefined;

  constructor(db: Database, sha256: Sha256, now: () => number) {
    this.#db = db;
    this.#sql = new Statements(db);
    this.#now = now;
    this.#inodes = new GenerationCache(CACHED_INODES);
    this.#children = new GenerationCache(CACHED_NAMES);
    this.#contents = new SqlContents(this.#sql, sha256, {
      ready: () => this.#open(),
      transaction: (fn) => this.transaction(fn),
      afterCommit: (fn) => db.afterCommit(fn),
    });
    this.contents = this.#contents;
    db.onRollback(() => this.#forget());
  }

  transaction<T>(fn: () => T): T {
    this.#open();
    return this.#db.transactionSync(fn);
  }

  inode(ino: Ino): InodeRow | undefined {
    this.#open();
    const cached = this.#inodes.get(ino);
    if (cached !== undefined) return cached;
    const [row] = this.#sql.arrays<InodeColumns>(SELECT_INODE, ino);
    return row && this.#keep(row);
  }

  putInode(row: InodeRow, patch?: ContentPatch): void {
    const content = patch === undefined || !("content" in patch) ? row.content : patch.content;
    const values = [row.mode, row.nlink, row.size, row.mtime, row.mtimeNs, row.ctime, row.ctimeNs] as const;
    const place = [row.parent, row.name, row.rev, row.placed, content ?? null] as const;
    if (patch?.data === undefined) this.#sql.run(UPDATE_INODE, ...values, ...place, row.ino);
    else this.#sql.run(UPDATE_INODE_AND_DATA, ...values, ...place, patch.data, row.ino);
    this.#inodes.set(row.ino, content === row.content ? row : { ...row, content });
  }

  addInode(row: InodeRow, patch?: ContentPatch): void {
    const content = patch?.content;
    const values = [
      row.ino,
      KINDS.indexOf(row.kind),
      row.mode,
      row.nlink,
      row.size,
      row.mtime,
      row.mtimeNs,
      row.ctime,
    ] as const;
    const place = [row.ctimeNs, row.parent, row.name, row.rev, row.placed, content ?? null] as const;
    this.#sql.run(INSERT_INODE, ...values, ...place, row.target ?? null, patch?.data ?? null);
    this.#inodes.set(row.ino, { ...row, content });
  }

  deleteInode(ino: Ino): void {
    this.#sql.run(DELETE_INODE, ino);
    this.#inodes.delete(ino);
  }

  dirent(parent: Ino, name: string): InodeRow | undefined {
    this.#open();
    const key = `${parent}/${name}`;
    const cached = this.#children.get(key);
    if (cached !== undefined) return cached === 0 ? undefined : this.inode(cached);
    const [found] = name.isWellFormed() ? this.#sql.arrays<InodeColumns>(SELECT_CHILD, parent, name) : [];
    this.#children.set(key, found?.[0] ?? 0);
    return found && this.#keep(found);
  }

  putDirent(parent: Ino, name: string, { ino, kind }: Pick<InodeRow, "ino" | "kind">): void {
    this.#sql.run(PUT_DIRENT, parent, name, ino, KINDS.indexOf(kind));
    this.#children.set(`${parent}/${name}`, ino);
  }

  deleteDirent(parent: Ino, name: string): void {
    this.#sql.run(DELETE_DIRENT, parent, name);
    this.#children.set(`${parent}/${name}`, 0);
  }

  list(parent: Ino, after: string | undefined, limit: number): { name: string; row: InodeRow }[] {
    this.#open();
    const found = this.#sql.arrays<NamedColumns>(SELECT_CHILDREN, parent, after ?? "", limit);
    return found.map((columns) => {
      const name = columns.at(-1) as string;
      this.#children.set(`${parent}/${name}`, columns[0]);
      return { name, row: this.#keep(columns) };
    });
  }

  names(parent: Ino, after: string | undefined, limit: number): Name[] {
    const found = this.#pages<[string, number, number]>(SELECT_ENTRIES, parent, after, limit);
    return found.map(([name, ino, kind]) => ({ name, ino, kind: KINDS[kind]! }));
  }

  listing(parent: Ino, after: string | undefined, limit: number): Listed[] {
    const found = this.#pages<[string, number, number, number, number]>(SELECT_LISTING, parent, after, limit);
    return found.map(([name, ino, kind, size, mtime]) => ({ name, ino, kind: KINDS[kind]!, size, mtime }));
  }

  isEmpty(parent: Ino): boolean {
    return this.#sql.one(SELECT_ANY_CHILD, parent) === undefined;
  }

  otherNames(ino: Ino): Place[] {
    return this.#sql.all<{ parent: number; name: string }>(SELECT_NAMES, ino);
  }

  addName(ino: Ino, { parent, name }: Place): void {
    this.#sql.run(INSERT_NAME, ino, parent, name);
  }

  deleteName(ino: Ino, { parent, name }: Place): void {
    this.#sql.run(DELETE_NAME, ino, parent, name);
  }

  last(): LogRow | undefined {
    this.#open();
    return this.#last;
  }

  append(row: LogRow): void {
    const { parent, name } = row.place ?? { parent: null, name: null };
    this.#sql.run(INSERT_LOG, row.rev, row.ino, parent, name, row.origin, row.inodes, row.bytes);
    this.#last = row;
    if (row.rev % PRUNE_EVERY === 0) this.#prune();
  }

  log(from: number, limit: number): LogRow[] {
    this.#open();
    if (from > (this.#last?.rev ?? 0)) return [];
    return this.#sql.all<LogColumns>(SELECT_LOG, from, limit).map(logRow);
  }

  logRow(rev: number): LogRow | undefined {
    const [row] = this.log(rev, 1);
    return row?.rev === rev ? row : undefined;
  }

  floor(): number {
    this.#open();
    this.#first ??= this.#sql.one<{ rev: number }>(SELECT_FIRST)?.rev ?? 1;
    return this.#first - 1;
  }

  peer(id: string): PeerState | undefined {
    return this.#allPeers().get(id);
  }

  setPeer(id: string, state: PeerState | null): void {
    const peers = this.#allPeers();
    if (state === null) {
      if (!peers.has(id)) return;
      this.#sql.run(DELETE_PEER, id);
      peers.delete(id);
    } else {
      this.#sql.run(PUT_PEER, id, JSON.stringify(state));
      peers.set(id, state);
    }
  }

  totalBytes(): number {
    return TOTAL_BYTES;
  }

  usedBytes(): number | undefined {
    this.#open();
    return this.#db.sql.databaseSize;
  }

  /** How much is held in memory of what was read. */
  remembered(): { inodes: number; names: number } {
    return { inodes: this.#inodes.size, names: this.#children.size };
  }

  /** Makes or checks the tables at the first use, and sweeps what an earlier life of the object left unfinished. */
  #open(): void {
    if (this.#opened) return;
    const version = this.#version();
    if (version !== undefined && version > SCHEMA_VERSION) {
      throw new SchemaError(
        `The files in this database were written by a newer version (schema ${version}, this code knows ${SCHEMA_VERSION}): deploy the newer code again. Nothing was changed.`,
      );
    }
    this.#opened = true;
    if (version === undefined || version < SCHEMA_VERSION) this.#db.transactionSync(() => this.#migrate(version ?? 0));
    const last = this.#sql.one<LogColumns>(SELECT_LAST);
    this.#last = last && logRow(last);
    if (!this.#swept) this.#sweep();
    this.#swept = true;
  }

  #version(): number | undefined {
    try {
      return this.#sql.one<{ value: number }>(SELECT_VERSION)?.value;
    } catch (error) {
      if (error instanceof Error && error.message.includes("no such table")) return undefined;
      throw error;
    }
  }

  #migrate(from: number): void {
    for (const step of MIGRATIONS.slice(from)) for (const statement of step) this.#sql.run(statement);
    if (from === 0) {
      const now = Math.floor(this.#now());
      this.#sql.run(INSERT_INODE, ROOT_INO, 1, 0o755, 2, 0, now, 0, now, 0, ROOT_INO, "", 0, 0, null, null, null);
    }
    this.#sql.run(PUT_VERSION, SCHEMA_VERSION);
  }

  #sweep(): void {
    this.#contents.sweep();
    for (const columns of this.#sql.arrays<InodeColumns>(SELECT_ORPHANS)) {
      const row = inodeRow(columns);
      this.#contents.drop(row);
      this.deleteInode(row.ino);
    }
  }

  #keep(columns: Readonly<InodeColumns | NamedColumns>): InodeRow {
    const cached = this.#inodes.get(columns[0]);
    if (cached !== undefined) return cached;
    const row = inodeRow(columns);
    this.#inodes.set(row.ino, row);
    return row;
  }

  /** Up to `limit` rows, each led by a name, of a statement that gives them as JSON. */
  #pages<Row extends [string, ...unknown[]]>(
    statement: string,
    parent: Ino,
    after: string | undefined,
    limit: number,
  ): Row[] {
    this.#open();
    const rows: Row[] = [];
    for (let last = after ?? ""; rows.length < limit; last = rows.at(-1)![0]) {
      const asked = Math.min(limit - rows.length, PAGE_ROWS);
      const page = JSON.parse(this.#sql.one<{ page: string }>(statement, parent, last, asked)!.page) as Row[];
      for (const row of page) rows.push(row);
      if (page.length < asked) break;
    }
    return rows;
  }

  #allPeers(): Map<string, PeerState> {
    this.#open();
    this.#peers ??= new Map(
      this.#sql
        .all<{ id: string; state: string }>(SELECT_PEERS)
        .map(({ id, state }) => [id, JSON.parse(state) as PeerState]),
    );
    return this.#peers;
  }

  /** Forgets log rows that every peer has passed; a peer that is too far behind starts anew. */
  #prune(): void {
    const newest = this.#last?.rev ?? 0;
    const passed = [...this.#allPeers().values()].map(({ sent }) => sent.baseline ?? sent.rev);
    const wanted = Math.min(...passed, newest - KEPT_ROWS);
    const cut = Math.max(wanted, newest - KEPT_FOR_PEERS);
    if (cut <= this.floor()) return;
    this.#sql.run(DELETE_LOG, cut);
    this.#first = cut + 1;
  }

  #forget(): void {
    this.#inodes.clear();
    this.#children.clear();
    this.#contents.forget();
    this.#opened = false;
    this.#last = undefined;
    this.#first = undefined;
    this.#peers = undefined;
  }
}

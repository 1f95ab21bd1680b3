/** The tables of the filesystem in a user's database, all prefixed `vfs_`. */

/** A database that this code cannot use, and does not touch. */
export class SchemaError extends Error {
  static readonly code = "ESCHEMA" as const;
  override readonly name: string = "SchemaError";
  readonly code: "ESCHEMA" = SchemaError.code;
}

/**
 * The first version's tables.
 *
 * `vfs_inode.kind`: 0 file, 1 directory, 2 symlink. `parent` and `name` are its first name's place, so that paths upward need no index; further
 * names stand in `vfs_name` too. `data` is a small file's contents; larger ones are the chunks that `vfs_extent` lists under `content`.
 * A row missing from `vfs_extent` after the first is a chunk of zeros. `vfs_stage` lists contents that no inode has yet. Each row of `vfs_log` is one revision.
 */
const TABLES: readonly string[] = [
  `CREATE TABLE vfs_meta (
    key TEXT PRIMARY KEY,
    value ANY
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE vfs_inode (
    ino INTEGER PRIMARY KEY,
    kind INTEGER NOT NULL,
    mode INTEGER NOT NULL,
    nlink INTEGER NOT NULL,
    size INTEGER NOT NULL,
    mtime INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    ctime INTEGER NOT NULL,
    ctime_ns INTEGER NOT NULL,
    parent INTEGER NOT NULL,
    name TEXT NOT NULL,
    rev INTEGER NOT NULL,
    placed INTEGER NOT NULL,
    content INTEGER,
    target TEXT,
    data BLOB
  ) STRICT`,
  "CREATE INDEX vfs_inode_orphan ON vfs_inode (ino) WHERE nlink = 0",
  `CREATE TABLE vfs_dirent (
    parent INTEGER NOT NULL,
    name TEXT NOT NULL,
    ino INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    PRIMARY KEY (parent, name)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE vfs_name (
    ino INTEGER NOT NULL,
    parent INTEGER NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (ino, parent, name)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE vfs_extent (
    content INTEGER NOT NULL,
    idx INTEGER NOT NULL,
    chunk INTEGER NOT NULL,
    hash BLOB NOT NULL,
    PRIMARY KEY (content, idx)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE vfs_chunk (
    id INTEGER PRIMARY KEY,
    hash BLOB NOT NULL,
    refs INTEGER NOT NULL,
    data BLOB NOT NULL
  ) STRICT`,
  "CREATE INDEX vfs_chunk_loose ON vfs_chunk (id) WHERE refs = 0",
  `CREATE TABLE vfs_stage (
    content INTEGER PRIMARY KEY
  ) STRICT`,
  `CREATE TABLE vfs_log (
    rev INTEGER PRIMARY KEY,
    ino INTEGER,
    parent INTEGER,
    name TEXT,
    origin TEXT,
    inodes INTEGER NOT NULL,
    bytes INTEGER NOT NULL
  ) STRICT`,
  `CREATE TABLE vfs_peer (
    id TEXT PRIMARY KEY,
    state TEXT NOT NULL
  ) STRICT, WITHOUT ROWID`,
];

/** What turns the tables of version N into those of N + 1, at index N; a new database is version 0. Steps are added, never changed. */
export const MIGRATIONS: readonly (readonly string[])[] = [TABLES];

/** The version of the tables that this code reads and writes. */
export const SCHEMA_VERSION: number = MIGRATIONS.length;

/** The filesystem engine: files in SQLite or in memory behind one port, the InodeStore. */

export * from "./changes.ts";
export { ConfinedStore, type ConfinementOptions } from "./filesystem/confined-store.ts";
export { FileSystem } from "./filesystem/file-system.ts";
export type { MkdirOptions } from "./filesystem/mkdir.ts";
export { nearest } from "./filesystem/nearest.ts";
export type { ReadFileOptions } from "./filesystem/read-file.ts";
export type { ReaddirOptions, WorkspaceDirentResult } from "./filesystem/readdir.ts";
export type { RmOptions } from "./filesystem/rm.ts";
export type { WorkspaceStatResult } from "./filesystem/stat.ts";
export { WorkspaceFilesystem, type WorkspaceFilesystemOptions } from "./filesystem/workspace-filesystem.ts";
export { checkContent, type WriteFileContent, type WriteFileOptions } from "./filesystem/write-file.ts";
export * from "./fs-error.ts";
export * from "./inode-store.ts";
export type { WatchOptions } from "./provider/change-follower.ts";
export type { WriteFileRange } from "./provider/changed-stretches.ts";
export { FileHandle, type HandleProvider, withFileHandles } from "./provider/file-handle.ts";
export { SQLiteWorkspaceProvider, type SQLiteWorkspaceProviderOptions } from "./provider/sqlite-workspace-provider.ts";
export type { VirtualBigIntStatsLike, VirtualDirentLike, VirtualStatsLike } from "./provider/stats.ts";
export { StoreProvider, type StoreProviderOptions } from "./provider/store-provider.ts";
export type { WorkspaceDirentEntry } from "./provider/sync-provider.ts";
export type { WatchEvent } from "./provider/watch-events.ts";
export { Watcher, type WatchHandle, WatchIterable } from "./provider/watcher.ts";
export { type FindOptions, find, type WorkspaceFoundEntry } from "./search/find.ts";
export {
  type GrepOptions,
  type GrepPage,
  type GrepSummary,
  grepLines,
  grepPage,
  type WorkspaceGrepMatch,
} from "./search/grep.ts";
export type { WorkspaceGrepContextLine } from "./search/line-scanner.ts";
export { ls } from "./search/ls.ts";
export {
  Database,
  type DurableObjectStorageLike,
  type SQLCursorLike,
  type SQLStorageLike,
} from "./sql/database.ts";
export type { Backing, CellPlace } from "./store/backing.ts";
export * from "./store/chunks.ts";
export { HashesMissing, type Unhashed } from "./store/memory-hashes.ts";
export type { PieceSource } from "./store/memory-pieces.ts";
export type { Touched } from "./store/memory-rows.ts";
export { MemoryStore, type MemoryStoreOptions, type ScanVisitor } from "./store/memory-store.ts";
export { compareNames } from "./store/names.ts";
export { attrAt } from "./store/path-walk.ts";
export { SqlStore, type SqlStoreOptions } from "./store/sql-store.ts";

/** The filesystem engine: files in SQLite or in memory behind one port, the InodeStore. */

export * from "./changes.ts";
export * from "./fs-error.ts";
export * from "./inode-store.ts";
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
export * from "./store/chunks.ts";
export { MemoryStore, type MemoryStoreOptions } from "./store/memory-store.ts";
export { SqlStore, type SqlStoreOptions } from "./store/sql-store.ts";

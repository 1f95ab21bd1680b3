/** The filesystem engine: files in SQLite or in memory behind one port, the InodeStore. */

export * from "./changes.ts";
export * from "./fs-error.ts";
export * from "./inode-store.ts";
export * from "./store/chunks.ts";
export { MemoryStore, type MemoryStoreOptions } from "./store/memory-store.ts";

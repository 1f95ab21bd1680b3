/** The suites that every implementation of a port passes. */

export * from "./file-system-suite.ts";
export * from "./inode-store-suite.ts";

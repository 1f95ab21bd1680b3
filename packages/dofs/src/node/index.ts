/** dofs on Node: a Durable Object's storage over node:sqlite, the path API over a plain directory, and files for large contents. */

export * from "./backing-files.ts";
export * from "./directory-file-system.ts";
export * from "./sqlite-storage.ts";

/** dofs on Node: a Durable Object's storage over node:sqlite, and the path API over a plain directory. */

export * from "./directory-file-system.ts";
export * from "./sqlite-storage.ts";

/** dofs on Node: a Durable Object's storage over node:sqlite. */

export * from "./sqlite-storage.ts";

/** The wire of a workspace and its computer. */

export * from "./wire.ts";

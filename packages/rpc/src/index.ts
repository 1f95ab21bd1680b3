/** The wire of a workspace and its computer. */

export * from "./computer-error.ts";
export * from "./connect.ts";
export * from "./serve.ts";
export * from "./store-facade.ts";
export * from "./sync-driver.ts";
export * from "./sync-progress.ts";
export * from "./sync-server.ts";
export * from "./transport.ts";
export * from "./wire.ts";

/** The wire of a workspace and its computer. */

export * from "./computer-error.ts";
export * from "./connect.ts";
export * from "./contents-fetcher.ts";
export type { PageLimits } from "./cut-page.ts";
export type { IgnoreRules } from "./ignored-paths.ts";
export { LazyContents } from "./lazy-contents.ts";
export type { LiveTargets } from "./live-targets.ts";
export * from "./serve.ts";
export { type FacadeApplyOptions, type FacadeOutcome, localFacade, type StoreFacade } from "./store-facade.ts";
export * from "./sync-driver.ts";
export { SYNC_LIMITS, type SyncLimits } from "./sync-limits.ts";
export * from "./sync-progress.ts";
export * from "./sync-server.ts";
export * from "./transport.ts";
export * from "./wire.ts";

/** How far a sync has come, told after each block. */

export type { SyncDirection, SyncMode, SyncProgress } from "@cloudflare/computer-rpc";

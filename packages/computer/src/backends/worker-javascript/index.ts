/** The JavaScript computer. */

export type { WorkspaceEgressPolicy } from "../container/container-api.ts";
export type { WorkerJavaScriptBackendOptions } from "./javascript-options.ts";
export { WorkerJavaScriptBackend } from "./worker-javascript-backend.ts";

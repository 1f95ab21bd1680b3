/** Compile-only: what of the API of 0.8.0 is not there yet. A line whose thing appears is an error, and moves to `present-0.8.0.ts`. */

import * as computer from "@cloudflare/computer";
import type * as script from "@cloudflare/computer/backends/worker-javascript";

// Host modules of the JavaScript computer
// @ts-expect-error
export type Missing_WorkspaceModuleCallContext_interrupt = Pick<computer.WorkspaceModuleCallContext, "interrupt">;

// Restart, replay and interrupts of runs
// @ts-expect-error
export type Missing_ModuleExecutionInput_onInterrupt = Pick<computer.ModuleExecutionInput, "onInterrupt">;
// @ts-expect-error
export type Missing_WorkspaceModuleBackendHandle_recover = Pick<computer.WorkspaceModuleBackendHandle, "recover">;
// @ts-expect-error
export type Missing_WorkspaceModuleBackendHandle_pending = Pick<computer.WorkspaceModuleBackendHandle, "pending">;
// @ts-expect-error
export type Missing_WorkspaceModuleBackendHandle_respond = Pick<computer.WorkspaceModuleBackendHandle, "respond">;
// @ts-expect-error
export type Missing_WorkerJavaScriptBackendOptions_onWait = Pick<script.WorkerJavaScriptBackendOptions, "onWait">;
// @ts-expect-error
export type Missing_keepAliveIntervalMs = Pick<script.WorkerJavaScriptBackendOptions, "keepAliveIntervalMs">;
// @ts-expect-error
export type Missing_WorkspaceRuntimePendingCall = computer.WorkspaceRuntimePendingCall;
// @ts-expect-error
export type Missing_WorkspaceRuntimeStub_pending = Pick<computer.WorkspaceRuntimeStub, "pending">;
// @ts-expect-error
export type Missing_WorkspaceRuntimeStub_respond = Pick<computer.WorkspaceRuntimeStub, "respond">;
// @ts-expect-error
void computer.unsafeToRepeat;

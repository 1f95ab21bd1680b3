/** The tools for TanStack AI. */

export {
  type CreateTanStackToolsOptions,
  createTanStackTools,
  type TanStackTool,
  type TanStackToolExecutionContext,
  type TanStackToolFormat,
  type TanStackToolList,
  type TanStackToolSet,
  type TanStackToolsFor,
} from "./create-tanstack-tools.ts";

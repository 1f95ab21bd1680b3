/** The tools for the AI SDK. */

export { type CreateAIToolsOptions, createAITools } from "./create-ai-tools.ts";
export {
  createDeleteTool,
  createEditTool,
  createExecTool,
  createFindTool,
  createGrepTool,
  createListTool,
  createPublishTool,
  createReadTool,
  createWriteTool,
} from "./create-tools.ts";
export { forAISDKTools } from "./for-ai-sdk-tools.ts";

/** All the tools over a workspace, for the AI SDK. */

import type { ToolSet } from "ai";
import { type CreateToolsOptions, defineTools } from "../core/tool-set.ts";
import { aiTool } from "./ai-tool.ts";

export type CreateAIToolsOptions = CreateToolsOptions;

/**
 * The tools by name, as `generateText` and its like take them.
 *
 * @example
 * const { text } = await generateText({ model, prompt, tools: createAITools({ workspace }), stopWhen: stepCountIs(20) });
 */
export function createAITools(options: CreateAIToolsOptions): ToolSet {
  return Object.fromEntries(defineTools(options).map((definition) => [definition.name, aiTool(definition)]));
}

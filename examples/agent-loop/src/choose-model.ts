/** The model of an example: one of Workers AI where the Worker has it, else one that plays a plan. */

import type { LanguageModel } from "ai";
import { createWorkersAI } from "workers-ai-provider";
import { type Plan, scriptedModel } from "./scripted-model.ts";

const MODEL = "@cf/moonshotai/kimi-k2.7-code";

export interface ChosenModel {
  readonly model: LanguageModel;
  readonly name: "workers-ai" | "scripted";
  /** Who answers, to be told to who asked. */
  readonly note: string;
}

/** Any other model of the AI SDK would do in the place of Workers AI's. */
export function chooseModel(ai: Ai | undefined, plan: Plan): ChosenModel {
  if (ai === undefined) {
    const note =
      "A script plays the model's part, since the Worker has no binding AI; the loop and the tools are real.";
    return { model: scriptedModel(plan), name: "scripted", note };
  }
  return { model: createWorkersAI({ binding: ai })(MODEL), name: "workers-ai", note: `The model is ${MODEL}.` };
}

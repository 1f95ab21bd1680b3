/** The agent's part: a model with tools over the workspace, asked for a card as a PDF. */

import type { getWorkspace } from "@cloudflare/computer";
import { createAITools } from "@cloudflare/computer/tools/ai-sdk";
import { agentTurn, chooseModel, type Say } from "example-agent-loop";
import { PDF, TEXT } from "./card.ts";
import { cardPlan } from "./card-plan.ts";

const FOLDER = "/workspace";

const INSTRUCTIONS = `You make cards: one page of Markdown with a title, a few sections and a table, set as a PDF.
You have a Linux computer with pandoc and typst over the files in ${FOLDER}; there is no LaTeX and no network.
Write the text to ${FOLDER}/${TEXT}, with its title in a block of YAML metadata at its top. Then run, in ${FOLDER}:
pandoc ${TEXT} -o ${PDF} --pdf-engine=typst
Where it fails, mend the text and run it again. Keep to these two files. At the end say in one sentence what is on the card.`;

export interface CardRequest {
  readonly workspace: ReturnType<typeof getWorkspace>;
  readonly ai: Ai | undefined;
  readonly prompt: string;
  readonly signal: AbortSignal;
}

/**
 * Says `model` with who plays it, then the events of the turn by their types, and `card` with the PDF's path and size. Throws where the
 * turn has ended without a new PDF.
 */
export async function writeCard({ workspace, ai, prompt, signal }: CardRequest, say: Say): Promise<void> {
  const { model, name, note } = chooseModel(ai, cardPlan);
  await say("model", { name, note });
  await workspace.fs.mkdir(FOLDER, { recursive: true });
  const before = await workspace.fs.lstatOrNull(`${FOLDER}/${PDF}`);
  await agentTurn(
    {
      model,
      tools: createAITools({ workspace }),
      instructions: INSTRUCTIONS,
      messages: [{ role: "user", content: prompt }],
      signal,
    },
    ({ type, ...event }) => say(type, event),
  );
  const made = await workspace.fs.lstatOrNull(`${FOLDER}/${PDF}`);
  if (!made?.isFile || (made.mtime === before?.mtime && made.size === before.size)) {
    throw new Error("the agent has ended without making a PDF");
  }
  await say("card", { path: PDF, bytes: made.size });
}

/** What the scripted model does: the card of the topic that the prompt names. */

import type { Plan } from "example-agent-loop";
import { PDF, TEXT } from "./card.ts";
import { TOPICS } from "./topics.ts";

const cwd = "/workspace";

export const cardPlan: Plan = (prompt) => {
  const named = Object.keys(TOPICS).find((name) => prompt.toLowerCase().includes(name));
  const { title, markdown } = TOPICS[named ?? "computer"]!;
  const about =
    named === undefined ? `I know nothing of that, so I take what I know: ${title}.` : `I know a card: ${title}.`;
  const content = `---\ntitle: ${JSON.stringify(title)}\n---\n\n${markdown}`;
  return [
    { say: `${about}\n`, calls: [["write", { path: `${cwd}/${TEXT}`, content }]] },
    { calls: [["exec", { command: `pandoc ${TEXT} -o ${PDF} --pdf-engine=typst`, cwd }]] },
    { calls: [["find", { path: cwd, pattern: "*.pdf" }]] },
    ([found]) => ({ say: `“${title}” is set: ${found?.text}.` }),
  ];
};

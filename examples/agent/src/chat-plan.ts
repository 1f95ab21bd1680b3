/** What the scripted model does: a few words are commands to it, all else gets the same answer. */

import type { Plan, PlannedTurn, ToolAnswer } from "example-agent-loop";

const HELP = `I am a script, not a model; I understand only:
  tour               one file, through all three computers
  sh COMMAND         in the shell beside the files (worker-shell)
  js EXPRESSION      as JavaScript (worker-javascript)
  linux COMMAND      in Linux (container-shell)
  write FILE TEXT    and read FILE
Everything stays: leave, come back, and ask again.`;

export const chatPlan: Plan = (asked) => {
  const [, word, rest = ""] = /^\s*(\w+)\s*([\s\S]*?)\s*$/.exec(asked) ?? [];
  if (word === "tour") return tour();
  if (word === "sh" && rest !== "") return [exec("worker-shell", rest), told];
  if (word === "js" && rest !== "") return [exec("worker-javascript", moduleOf(`(${rest})`)), told];
  if (word === "linux" && rest !== "") return [exec("container-shell", rest), told];
  const [, path, content] = /^(\S+)\s+([\s\S]+)$/.exec(rest) ?? [];
  if (word === "write" && path !== undefined) return [{ calls: [["write", { path, content: `${content}\n` }]] }, told];
  if (word === "read" && rest !== "") return [{ calls: [["read", { path: rest }]] }, told];
  return [{ say: HELP }];
};

function tour(): PlannedTurn[] {
  const count = moduleOf(`(await readFile("/workspace/tour.txt", "utf8")).trim().split(/\\s+/).length`);
  return [
    {
      say: "Linux writes a file.\n",
      calls: [["exec", { command: "uname -sr > tour.txt", backend: "container-shell", cwd: "/workspace" }]],
    },
    {
      say: "The shell adds to it.\n",
      calls: [
        [
          "exec",
          { command: "echo 'seen by a shell' >> tour.txt; cat tour.txt", backend: "worker-shell", cwd: "/workspace" },
        ],
      ],
    },
    ([said]) => ({
      say: `${said?.text}JavaScript counts its words.\n`,
      calls: [["exec", { command: count, backend: "worker-javascript" }]],
    }),
    told,
  ];
}

function exec(backend: string, command: string): PlannedTurn {
  return { calls: [["exec", { command, backend }]], mayFail: true };
}

/** A module that gives the value of an expression. */
function moduleOf(expression: string): string {
  return `import { readFile } from "node:fs/promises";\nexport default async () => ${expression};\n`;
}

function told([answer]: readonly ToolAnswer[]): { say: string } {
  return { say: answer?.text ?? "" };
}

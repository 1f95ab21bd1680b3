/** What the scripted model does, whatever it is asked for: a Worker for Roman numerals, with a mistake that its tests find. */

import type { Plan } from "example-agent-loop";
import { PROJECT_FILES } from "./project-files.ts";
import type { Published } from "./publish-repository.ts";

/** Where projects are written. */
export const PROJECT = "/workspace/site";

const CHECKS = "node --test && tsc -p . && esbuild src/worker.ts --bundle --format=esm --outfile=dist/worker.js";
const MISTAKE = { oldText: "value > rest", newText: "value <= rest" };

export const projectPlan: Plan = () => [
  {
    say: "I know one project, a Worker for Roman numerals, and write it.\n",
    calls: Object.entries(PROJECT_FILES).map(([path, content]) => ["write", { path: `${PROJECT}/${path}`, content }]),
  },
  { calls: [["exec", { command: CHECKS, cwd: PROJECT, timeout: 120 }]], mayFail: true },
  {
    say: "A test fails: the comparison is the wrong way round.\n",
    calls: [["edit", { path: `${PROJECT}/src/roman.ts`, edits: [MISTAKE] }]],
  },
  { calls: [["exec", { command: CHECKS, cwd: PROJECT, timeout: 120 }]] },
  {
    say: "Tests, types and bundle are good now.\n",
    calls: [["publish_repository", { folder: PROJECT, name: "roman", message: "A Worker for Roman numerals" }]],
  },
  ([published]) => {
    const { name, clone } = JSON.parse(published?.text ?? "{}") as Partial<Published>;
    return { say: `${name} is published: git clone ${clone}` };
  },
];

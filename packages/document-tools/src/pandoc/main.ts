/** The command `pandoc`: the real pandoc over the npm build, with PDF output through our typst. */

import { extname } from "node:path";
import { pendingFile } from "../atomic-file.ts";
import { parsePandocArguments, UNREADABLE } from "./options.ts";
import { makePdf } from "./pdf.ts";
import { type OutputPlan, planOutput, refuse } from "./plan.ts";
import { compilePandoc, runPandoc } from "./wasm-process.ts";

async function pandoc(argv: readonly string[]): Promise<number> {
  const args = parsePandocArguments(argv);
  if (args.some(({ option }) => option === UNREADABLE)) return runPandoc(argv);
  const plan = planOutput(args);
  const refusal = refuse(args, plan);
  if (refusal !== undefined) {
    process.stderr.write(`${refusal.message}\n`);
    return refusal.exitCode;
  }
  void compilePandoc();
  return plan.pdf ? makePdf(args, plan) : convert(argv, plan);
}

/** Every other output is pandoc's own; only its file is put in place when it is whole. */
async function convert(argv: readonly string[], plan: OutputPlan): Promise<number> {
  const isFolder = plan.to?.startsWith("chunkedhtml") === true && extname(plan.output) !== ".zip";
  const pending = plan.output === "-" || isFolder ? undefined : pendingFile(plan.output);
  if (pending === undefined) return runPandoc(argv);
  try {
    const name = [`--variable=outputfile=${plan.output}`, `--output=${pending.path}`];
    const end = argv.indexOf("--");
    const at = end < 0 ? argv.length : end;
    const code = await runPandoc([...argv.slice(0, at), ...name, ...argv.slice(at)]);
    if (code === 0 && pending.exists()) pending.commit();
    return code;
  } finally {
    pending.discard();
  }
}

// A reader of our output that goes away early, as `head` does, is no failure to report.
process.stdout.on("error", () => {});
try {
  process.exitCode = await pandoc(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`pandoc: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

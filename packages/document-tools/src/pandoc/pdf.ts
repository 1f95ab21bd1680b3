/** Makes a PDF: pandoc writes typst, typst sets it. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { writeFileAtomically } from "../atomic-file.ts";
import { compileTypst, type TypstResult } from "../typst/compile.ts";
import { parseCompileOptions } from "../typst/options.ts";
import { reportDiagnostics } from "../typst/report.ts";
import { replaceUnreadableImages } from "./images.ts";
import type { PandocArgument } from "./options.ts";
import type { OutputPlan } from "./plan.ts";
import { runPandoc } from "./wasm-process.ts";

const OURS = new Set(["output", "to", "pdf-engine", "pdf-engine-opt"]);
const FILTERS = ["html.lua", "images.lua", "document.lua"];
const PDF_ERROR = 43;

/** A file of ours beside the bundled code. */
function share(name: string): string {
  return fileURLToPath(new URL(`./${name}`, import.meta.url));
}

/** Runs the whole way and resolves to pandoc's exit code; the output file is touched only when all went well. */
export async function makePdf(args: readonly PandocArgument[], plan: OutputPlan): Promise<number> {
  const obstacle = outputObstacle(plan.output);
  if (obstacle !== undefined) return say(`${obstacle}\n`, 1);
  const engine = parseCompileOptions(plan.pdfEngineOptions);
  if ("error" in engine) return say(`Error producing PDF.\n${engine.error}\n`, PDF_ERROR);
  if (engine.options.root !== undefined || engine.operands.length > 0) {
    return say("Error producing PDF.\n--pdf-engine-opt takes options of typst compile other than --root.\n", PDF_ERROR);
  }
  const work = mkdtempSync(join(tmpdir(), "pandoc-"));
  try {
    const media = join(work, "media");
    const source = join(work, "document.typ");
    mkdirSync(media);
    const headers = ["links.typ", ...(plan.template ? [] : ["style.typ"])].map((name) => share(name));
    const argv = [
      ...(plan.header ? headers.map((path) => `--include-in-header=${path}`) : []),
      ...typstArguments(args, plan, source),
    ];
    const code = await runPandoc(argv, {
      DOCUMENT_TOOLS_MEDIA: media,
      DOCUMENT_TOOLS_HEADERS: plan.header ? "" : headers.join("\n"),
      DOCUMENT_TOOLS_STYLED: plan.template ? "no" : "yes",
    });
    if (code !== 0 || statSync(source, { throwIfNoEntry: false }) === undefined) return code;
    const mainPath = resolve(".pandoc.typ");
    const compile = (mainText: string): TypstResult =>
      compileTypst({ ...engine.options, root: "/", mainPath, mainText });
    let text = readFileSync(source, "utf8");
    let result = compile(text);
    if (result.output === undefined) {
      const readable = replaceUnreadableImages(text, media);
      for (const name of readable.replaced)
        say(`[WARNING] Could not show image ${name}: replacing image with description\n`);
      if (readable.replaced.length > 0) {
        text = readable.text;
        result = compile(text);
      }
    }
    if (result.output === undefined) {
      const report = reportDiagnostics(result.diagnostics, "human", new Map([[mainPath, text]]));
      return say(`Error producing PDF.\n${report}`, PDF_ERROR);
    }
    if (plan.output === "-") await new Promise((done) => process.stdout.write(result.output ?? "", done));
    else {
      mkdirSync(dirname(plan.output), { recursive: true });
      writeFileAtomically(plan.output, result.output);
    }
    return 0;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** What pandoc is told: the caller's options, with typst source in a working folder as the output. */
function typstArguments(args: readonly PandocArgument[], plan: OutputPlan, source: string): string[] {
  const kept = args.filter(({ option }) => option !== undefined && !OURS.has(option)).flatMap(({ words }) => words);
  const inputs = args.filter(({ option }) => option === undefined).flatMap(({ words }) => words);
  return [
    ...kept,
    `--to=${plan.to === undefined || plan.to === "pdf" ? "typst" : plan.to}`,
    "--standalone",
    `--output=${source}`,
    ...FILTERS.map((name) => `--lua-filter=${share(name)}`),
    "--",
    ...inputs,
  ];
}

/** Why `output` cannot be written, found out before the work. */
function outputObstacle(output: string): string | undefined {
  if (output === "-") {
    return process.stdout.isTTY
      ? "Cannot write pdf output to terminal.\nSpecify an output file using the -o option, or use a pipe."
      : undefined;
  }
  if (statSync(output, { throwIfNoEntry: false })?.isDirectory()) {
    return `${output}: withBinaryFile: inappropriate type (is a directory)`;
  }
  return undefined;
}

function say(text: string, exitCode = 0): number {
  process.stderr.write(text);
  return exitCode;
}

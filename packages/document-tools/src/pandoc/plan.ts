/** Decides what a pandoc command line asks for: a PDF, another file, or nothing that is written. */

import { readFileSync } from "node:fs";
import { basename, extname } from "node:path";
import type { PandocArgument } from "./options.ts";

/** What is written where. */
export interface OutputPlan {
  /** The output file; "-" is standard output. */
  readonly output: string;
  /** The format as given, extensions included; absent when pandoc is to tell it from the file name. */
  readonly to?: string;
  readonly pdf: boolean;
  readonly pdfEngine?: string;
  readonly pdfEngineOptions: readonly string[];
  /** Whether the caller chose a template. */
  readonly template: boolean;
  /** Whether the caller includes something in the header, which then takes the place of the document's own. */
  readonly header: boolean;
}

/** A refusal in pandoc's manner. */
export interface Refusal {
  readonly message: string;
  readonly exitCode: number;
}

/** Reads the plan off the arguments, a later one overriding an earlier one, defaults files in their place among them. */
export function planOutput(args: readonly PandocArgument[]): OutputPlan {
  const last: Record<string, string> = {};
  const pdfEngineOptions: string[] = [];
  for (const { option, value } of args) {
    if (option === "pdf-engine-opt" && value !== undefined) pdfEngineOptions.push(value);
    else if (option === "defaults" && value !== undefined) Object.assign(last, readDefaults(value));
    else if (option === "variable" && value?.startsWith("header-includes")) last["include-in-header"] = value;
    else if (option !== undefined) last[option] = value ?? "";
  }
  const output = last.output ?? "-";
  const to = last.to;
  return {
    output,
    ...(to === undefined ? {} : { to }),
    pdf: to === "pdf" || extname(output).toLowerCase() === ".pdf",
    ...(last["pdf-engine"] === undefined ? {} : { pdfEngine: last["pdf-engine"] }),
    pdfEngineOptions,
    template: last.template !== undefined,
    header: last["include-in-header"] !== undefined,
  };
}

const DEFAULTS_KEYS: Readonly<Record<string, string>> = {
  "output-file": "output",
  to: "to",
  writer: "to",
  "pdf-engine": "pdf-engine",
  template: "template",
  "include-in-header": "include-in-header",
};

/** The settings of a defaults file that this plan needs; pandoc reads the file itself, and reports one it cannot read. */
function readDefaults(path: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const candidate of extname(path) === "" ? [`${path}.yaml`, path] : [path]) {
    try {
      for (const [, key = "", value = ""] of readFileSync(candidate, "utf8").matchAll(/^([a-z-]+):[ \t]*(.*)$/gm)) {
        const option = DEFAULTS_KEYS[key];
        const plain = value.replace(/\s+#.*$/, "").trim();
        if (option !== undefined) found[option] = plain.replace(/^(["'])(.*)\1$/, "$2");
      }
      return found;
    } catch {}
  }
  return found;
}

/** Why this build cannot do what is asked, or undefined. */
export function refuse(args: readonly PandocArgument[], plan: OutputPlan): Refusal | undefined {
  if (args.some(({ option }) => option === "filter")) {
    return {
      message: "Option --filter is not supported here: pandoc cannot start programs. Use --lua-filter.",
      exitCode: 6,
    };
  }
  if (!plan.pdf) return undefined;
  const format = (plan.to ?? "pdf").replace(/[+-].*$/, "");
  const engine = plan.pdfEngine;
  if (engine !== undefined && basename(engine) !== "typst") {
    const message = `${engine} not found. Please select a different --pdf-engine or install ${engine}: typst is the one here.`;
    return { message, exitCode: 47 };
  }
  if (format !== "pdf" && format !== "typst") {
    return { message: `pdf-engine typst is not compatible with output format ${format}`, exitCode: 4 };
  }
  return undefined;
}

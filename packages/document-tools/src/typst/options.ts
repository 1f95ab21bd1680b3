/** Reads the options of `typst compile`. */

import { resolve } from "node:path";
import type { DiagnosticFormat } from "./report.ts";

/** What the options say; paths are absolute. */
export interface CompileOptions {
  readonly root?: string;
  readonly inputs: Record<string, string>;
  readonly fontPaths: string[];
  readonly format?: "pdf" | "svg";
  readonly pdfStandard?: string;
  readonly creationTimestamp?: number;
  readonly diagnosticFormat?: DiagnosticFormat;
}

/** The options and the words that are not options, or what is wrong in typst's manner. */
export type ParsedOptions = { options: CompileOptions; operands: string[] } | { error: string };

const LONG = ["root", "font-path", "input", "format", "pdf-standard", "creation-timestamp", "diagnostic-format"];
const SHORT: Readonly<Record<string, string>> = { f: "format" };

/** Options of the native command that need what this build has not. */
const UNSUPPORTED = [
  ..."pages ppi deps deps-format make-deps open timings package-path package-cache-path jobs".split(" "),
  ..."ignore-system-fonts ignore-embedded-fonts no-pdf-tags features cert color target pretty".split(" "),
];

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Parses the words after `typst compile`. */
export function parseCompileOptions(argv: readonly string[]): ParsedOptions {
  const options: Writable<CompileOptions> = { inputs: {}, fontPaths: [] };
  const operands: string[] = [];
  const rest = [...argv];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "--") {
      operands.push(...rest.splice(0));
      break;
    }
    const match = /^--([a-z-]+)(?:=(.*))?$|^-([a-zA-Z])=?(.+)?$/s.exec(word);
    if (match === null) {
      operands.push(word);
      continue;
    }
    const name = match[1] ?? SHORT[match[3] ?? ""] ?? "";
    if (UNSUPPORTED.includes(name))
      return { error: `error: the option '--${name}' is not supported by this build of typst` };
    if (!LONG.includes(name)) return { error: `error: unexpected argument '${word}' found` };
    const value = match[2] ?? match[4] ?? rest.shift();
    if (value === undefined) return { error: `error: a value is required for '--${name}' but none was supplied` };
    const problem = setOption(options, name, value);
    if (problem !== undefined) return { error: `error: invalid value '${value}' for '--${name}': ${problem}` };
  }
  return { options, operands };
}

function setOption(options: Writable<CompileOptions>, name: string, value: string): string | undefined {
  switch (name) {
    case "root":
      options.root = resolve(value);
      return undefined;
    case "font-path":
      options.fontPaths.push(...value.split(":").map((path) => resolve(path)));
      return undefined;
    case "input": {
      const equals = value.indexOf("=");
      if (equals < 1) return "input must be a key and a value separated by an equal sign";
      options.inputs[value.slice(0, equals)] = value.slice(equals + 1);
      return undefined;
    }
    case "format":
      if (value !== "pdf" && value !== "svg") return "this build of typst writes pdf and svg";
      options.format = value;
      return undefined;
    case "pdf-standard":
      options.pdfStandard = value;
      return undefined;
    case "creation-timestamp":
      if (!/^\d+$/.test(value)) return "a number of seconds since 1970 is wanted";
      options.creationTimestamp = Number(value);
      return undefined;
    default:
      if (value !== "human" && value !== "short") return "human or short is wanted";
      options.diagnosticFormat = value;
      return undefined;
  }
}

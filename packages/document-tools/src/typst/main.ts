/** The command `typst`: compile, fonts and --version over the npm build of the typst compiler. */

import { readFileSync } from "node:fs";
import { dirname, extname, resolve } from "node:path";
import { writeFileAtomically } from "../atomic-file.ts";
import { compileTypst, type TypstJob } from "./compile.ts";
import { fontFamilies } from "./fonts.ts";
import { parseCompileOptions } from "./options.ts";
import { reportDiagnostics } from "./report.ts";
import { typstVersion } from "./version.ts";

const USAGE = `Usage: typst <COMMAND>

Commands:
  compile  Compiles a document: typst compile [OPTIONS] <INPUT> [OUTPUT] ("-" is standard input or output) [alias: c]
  fonts    Lists the font families that documents can use

Options of compile:
      --root <DIR>                    Folder that absolute paths count from (default: the document's)
      --input <key=value>             A value for sys.inputs
      --font-path <DIR>               Folder with more fonts
  -f, --format <pdf|svg>              Format of the output
      --pdf-standard <STANDARD>       PDF standard to conform to
      --creation-timestamp <SECONDS>  Time of creation, in seconds since 1970
      --diagnostic-format <human|short>
  -h, --help                          Print help
  -V, --version                       Print version
`;

const USAGE_ERROR = 2;

function typst(argv: readonly string[]): number {
  const [command, ...rest] = argv;
  const wantsHelp = argv.some((word) => word === "--help" || word === "-h") || command === "help";
  if (wantsHelp) return print(USAGE);
  switch (command) {
    case "--version":
    case "-V":
      return print(`typst ${typstVersion()}\n`);
    case "compile":
    case "c":
      return compile(rest);
    case "fonts":
      return fonts(rest);
    case undefined:
      return fail(USAGE, USAGE_ERROR);
    case "watch":
    case "w":
    case "init":
    case "query":
    case "eval":
    case "update":
    case "completions":
    case "info":
      return fail(`error: the command '${command}' is not supported by this build of typst\n`, USAGE_ERROR);
    default:
      return fail(`error: unrecognized subcommand '${command}'\n\n${USAGE}`, USAGE_ERROR);
  }
}

function fonts(argv: readonly string[]): number {
  const parsed = parseCompileOptions(argv);
  if ("error" in parsed) return fail(`${parsed.error}\n`, USAGE_ERROR);
  const { operands, options } = parsed;
  if (operands.length > 0) return fail(`error: unexpected argument '${operands[0]}' found\n`, USAGE_ERROR);
  return print(
    fontFamilies(options.fontPaths)
      .map((name) => `${name}\n`)
      .join(""),
  );
}

function compile(argv: readonly string[]): number {
  const parsed = parseCompileOptions(argv);
  if ("error" in parsed) return fail(`${parsed.error}\n`, USAGE_ERROR);
  const { options, operands } = parsed;
  const [input, named, extra] = operands;
  if (input === undefined)
    return fail("error: the following required arguments were not provided: <INPUT>\n", USAGE_ERROR);
  if (extra !== undefined) return fail(`error: unexpected argument '${extra}' found\n`, USAGE_ERROR);
  if (input === "-" && named === undefined)
    return fail("error: output path is required when reading from stdin\n", USAGE_ERROR);

  const format = options.format ?? formatOf(named);
  if (format === undefined) {
    return fail(`error: could not infer output format for path ${named}: this build of typst writes pdf and svg\n`, 1);
  }
  const output = named ?? `${input.slice(0, input.length - extname(input).length)}.${format}`;
  if (/\{0?[pnt]\}/.test(output)) {
    return fail("error: page number templates in the output path are not supported by this build of typst\n", 1);
  }
  const mainPath = resolve(input === "-" ? ".stdin.typ" : input);
  let mainText: string;
  try {
    mainText = readFileSync(input === "-" ? 0 : mainPath, "utf8");
  } catch (error) {
    const reason = isAbsent(error)
      ? `input file not found (searched at ${input})`
      : `failed to read ${input}: ${String(error)}`;
    return fail(`error: ${reason}\n`, 1);
  }
  const root = options.root ?? dirname(mainPath);
  const job: TypstJob = { ...options, format, root, mainPath, mainText };
  const result = compileTypst(job);
  process.stderr.write(
    reportDiagnostics(result.diagnostics, options.diagnosticFormat, new Map([[mainPath, mainText]])),
  );
  if (result.output === undefined) return 1;
  if (format === "svg" && result.pages > 1) {
    return fail(`error: the document has ${result.pages} pages: this build of typst writes svg for one page only\n`, 1);
  }
  if (output === "-") return print(result.output);
  try {
    writeFileAtomically(output, result.output);
    return 0;
  } catch (error) {
    return fail(`error: failed to write ${format.toUpperCase()} file (${String(error)})\n`, 1);
  }
}

function formatOf(output: string | undefined): "pdf" | "svg" | undefined {
  if (output === undefined || output === "-") return "pdf";
  const extension = extname(output).toLowerCase();
  return extension === ".pdf" ? "pdf" : extension === ".svg" ? "svg" : undefined;
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

function print(text: string | Uint8Array): number {
  process.stdout.write(text);
  return 0;
}

function fail(text: string, exitCode: number): number {
  process.stderr.write(text);
  return exitCode;
}

// A reader of our output that goes away early, as `head` does, is no failure to report.
process.stdout.on("error", () => {});
process.exitCode = typst(process.argv.slice(2));

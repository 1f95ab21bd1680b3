/** Compiles one typst document in this process. */

import { isAbsolute, resolve } from "node:path";
import type { NodeError } from "@myriaddreamin/typst-ts-node-compiler";
import { deliveredFonts, loadTypst } from "./addon.ts";

/** What is wrong with a document, and where. */
export interface Diagnostic {
  readonly severity: "error" | "warning" | "help";
  readonly message: string;
  /** Absolute path of the source, or "" when the message has none. */
  readonly path: string;
  /** Zero-based, as the compiler counts; absent when the message has no place. */
  readonly start?: { readonly line: number; readonly character: number };
  readonly end?: { readonly line: number; readonly character: number };
}

/** What to compile. */
export interface TypstJob {
  /** Absolute path of the main file; relative paths in it count from its folder. */
  readonly mainPath: string;
  /** The main file's text, when it does not lie on disk under that path. */
  readonly mainText?: string;
  /** Absolute path that the document's absolute paths count from, and that it may not leave. */
  readonly root: string;
  readonly inputs?: Readonly<Record<string, string>>;
  readonly fontPaths?: readonly string[];
  readonly format?: "pdf" | "svg";
  readonly pdfStandard?: string;
  /** Seconds since 1970. */
  readonly creationTimestamp?: number;
}

/** A finished document, or undefined output with what stands in its way. */
export interface TypstResult {
  readonly output?: Uint8Array;
  readonly pages: number;
  readonly diagnostics: readonly Diagnostic[];
}

const SEVERITY: readonly Diagnostic["severity"][] = ["error", "error", "warning", "help", "help"];

/** Compiles and renders `job`; what is wrong with the document is in the result, nothing is thrown for it. */
export function compileTypst(job: TypstJob): TypstResult {
  const { NodeCompiler } = loadTypst();
  const fontPaths = [deliveredFonts, ...(job.fontPaths ?? []).map((path) => resolve(path))];
  const compiler = NodeCompiler.create({
    workspace: job.root,
    fontArgs: [{ fontPaths }],
    ...(job.inputs === undefined ? {} : { inputs: { ...job.inputs } }),
  });
  if (job.mainText !== undefined) compiler.mapShadow(job.mainPath, Buffer.from(job.mainText));
  const compiled = compiler.compile({ mainFilePath: job.mainPath });
  const found = (error: NodeError | null): Diagnostic[] =>
    error === null ? [] : compiler.fetchDiagnostics(error).map((raw: RawDiagnostic) => readDiagnostic(raw));
  const diagnostics = found(compiled.takeDiagnostics());
  const document = compiled.result;
  if (document === null) return { pages: 0, diagnostics };
  const pages = document.numOfPages;
  try {
    const output =
      job.format === "svg"
        ? Buffer.from(compiler.plainSvg(document))
        : compiler.pdf(document, {
            ...(job.pdfStandard === undefined ? {} : { pdfStandard: job.pdfStandard }),
            ...(job.creationTimestamp === undefined ? {} : { creationTimestamp: job.creationTimestamp }),
          });
    return { output, pages, diagnostics };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { pages, diagnostics: [...diagnostics, { severity: "error", message, path: "" }] };
  }
}

/** A diagnostic as the addon gives it. */
interface RawDiagnostic {
  readonly message: string;
  readonly path: string;
  readonly severity: number;
  readonly range: { start: { line: number; character: number }; end: { line: number; character: number } } | null;
}

function readDiagnostic(raw: RawDiagnostic): Diagnostic {
  return {
    severity: SEVERITY[raw.severity] ?? "error",
    message: raw.message,
    path: isAbsolute(raw.path) ? raw.path : raw.path === "" ? "" : resolve(raw.path),
    ...(raw.range === null ? {} : { start: raw.range.start, end: raw.range.end }),
  };
}

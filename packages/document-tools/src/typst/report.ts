/** Says what is wrong with a document the way the typst command does. */

import { readFileSync } from "node:fs";
import { relative } from "node:path";
import type { Diagnostic } from "./compile.ts";

/** How to print: with the line of source, or each on one line. */
export type DiagnosticFormat = "human" | "short";

/** The text for standard error; `sources` holds the texts that do not lie on disk, by absolute path. */
export function reportDiagnostics(
  diagnostics: readonly Diagnostic[],
  format: DiagnosticFormat = "human",
  sources: ReadonlyMap<string, string> = new Map(),
): string {
  return diagnostics.map((diagnostic) => report(diagnostic, format, sources)).join("");
}

function report(diagnostic: Diagnostic, format: DiagnosticFormat, sources: ReadonlyMap<string, string>): string {
  const { severity, message, path, start, end } = diagnostic;
  const place = path === "" ? "" : relative(process.cwd(), path);
  const at = start === undefined ? place : `${place}:${start.line + 1}:${start.character + 1}`;
  if (format === "short") return at === "" ? `${severity}: ${message}\n` : `${at}: ${severity}: ${message}\n`;
  if (at === "" || start === undefined) return `${severity}: ${message}\n\n`;
  const line = sourceLine(path, start.line, sources);
  const gutter = " ".repeat(String(start.line + 1).length);
  if (line === undefined) return `${severity}: ${message}\n${gutter} ┌─ ${at}\n\n`;
  const length = end !== undefined && end.line === start.line ? end.character - start.character : 1;
  const marks = " ".repeat(start.character) + "^".repeat(Math.max(1, length));
  const source = `${gutter} │\n${start.line + 1} │ ${line}\n${gutter} │ ${marks}\n`;
  return `${severity}: ${message}\n${gutter} ┌─ ${at}\n${source}\n`;
}

function sourceLine(path: string, line: number, sources: ReadonlyMap<string, string>): string | undefined {
  try {
    return (sources.get(path) ?? readFileSync(path, "utf8")).split(/\r?\n/)[line];
  } catch {
    return undefined;
  }
}

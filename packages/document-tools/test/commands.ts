/** Runs the built commands as a sandboxed computer does, and reads what they made. */

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { buildDocumentTools } from "../src/index.ts";

/** What a command did. */
export interface CommandResult {
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** A fresh folder with `files` in it, gone when the test is over. */
export function workFolder(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "document-tools-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}

/** Runs `command` in `cwd` with nothing in its environment but the PATH of a sandbox. */
export async function run(command: string, args: readonly string[], cwd: string, stdin = ""): Promise<CommandResult> {
  const tools = await buildDocumentTools();
  const child = spawn(join(tools, "bin", command), args, { cwd, env: { PATH: `${tools}/bin:/usr/bin:/bin` } });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
  child.stdin.on("error", () => {});
  child.stdin.end(stdin);
  const code = await new Promise<number | null>((done) => child.on("close", done));
  return { code, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString() };
}

/** The text of a PDF. */
export function pdfText(path: string): string {
  return execFileSync("pdftotext", ["-layout", path, "-"], { encoding: "utf8" });
}

/** How many pictures a PDF draws, masks not counted. */
export function pdfImageCount(path: string): number {
  const lines = execFileSync("pdfimages", ["-list", path], { encoding: "utf8" }).split("\n");
  return lines.filter((line) => /^\s*\d+\s+\d+\s+image\s/.test(line)).length;
}

/** The addresses that a PDF links to. */
export function pdfLinks(path: string): string[] {
  const lines = execFileSync("pdfinfo", ["-url", path], { encoding: "utf8" }).split("\n");
  return lines.slice(1).flatMap((line) => /^\s*\d+\s+\S+\s+(\S.*)$/.exec(line)?.[1] ?? []);
}

/** A text without what setting it in lines changes: white space, hyphens, the shapes of quotes and joined letters. */
export function squeezed(text: string): string {
  const plain = text.normalize("NFKC").replace(/[‘’]/g, "'").replace(/[“”]/g, '"');
  return plain.replace(/\s|\p{Cf}|\p{Pd}|\u{fe0f}/gu, "");
}

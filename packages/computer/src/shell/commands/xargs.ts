/** `xargs` as GNU has it. */

import type { CustomCommand } from "just-bash";
import { bytesOfByteString, textOf } from "../engine/byte-string.ts";
import { command, Failure, type Outcome, type Shell } from "./command.ts";
import { countOf, type Parsed, parseOptions } from "./options.ts";
import { shellWord } from "./shell-word.ts";

const OPTIONS = [
  "0,null",
  "a,arg-file=",
  "d,delimiter=",
  "E=",
  "I=",
  "i,replace?",
  "L,max-lines=",
  "n,max-args=",
  "P,max-procs=",
  "p,interactive",
  "r,no-run-if-empty",
  "s,max-chars=",
  "t,verbose",
  "x,exit",
] as const;

/** Bytes of one command line, as on Linux. */
const LINE_MAX = 128 * 1024;

export const xargs: CustomCommand = command("xargs", run);

async function run(shell: Shell): Promise<Outcome> {
  const options = parseOptions(shell.args, OPTIONS, { posix: true });
  if (options.has("p")) throw new Failure("-p is not supported in this shell: there is nobody to ask");
  const input = textOf(options.has("a") ? await shell.read(options.value("a") ?? "") : shell.stdin());
  const [name = "echo", ...fixed] = options.operands;
  const place = options.value("I") ?? (options.has("i") ? options.value("i") || "{}" : undefined);
  const items = itemsOf(input, options, place !== undefined);
  const output: Uint8Array[] = [];
  let stderr = "";
  let code = 0;
  for (const words of linesFor(items, options, place, [name, ...fixed])) {
    const line = words.map(shellWord).join(" ");
    if (options.has("t")) stderr += `${words.join(" ")}\n`;
    const result = await shell.context.exec?.(line, {
      cwd: shell.cwd,
      env: exported(shell),
      ...(shell.context.signal === undefined ? {} : { signal: shell.context.signal }),
    });
    if (result === undefined) throw new Failure("commands cannot be run here");
    output.push(
      result.stdoutKind === "bytes" ? bytesOfByteString(result.stdout) : new TextEncoder().encode(result.stdout),
    );
    stderr += result.stderr;
    if (result.exitCode === 127 || result.exitCode === 126)
      return { stdout: joined(output), stderr: stderr.replaceAll("bash: ", "xargs: "), code: result.exitCode };
    if (result.exitCode === 255)
      return {
        stdout: joined(output),
        stderr: `${stderr}xargs: ${name}: exited with status 255; aborting\n`,
        code: 124,
      };
    if (result.exitCode !== 0) code = 123;
  }
  return { stdout: joined(output), stderr, code };
}

function exported(shell: Shell): Record<string, string> {
  return { ...shell.context.exportedEnv };
}

function itemsOf(input: string, options: Parsed, whole: boolean): { text: string; line: number }[] {
  const delimiter = options.has("0")
    ? "\0"
    : options.value("d") === undefined
      ? undefined
      : unescaped(options.value("d") ?? "");
  if (delimiter !== undefined) {
    const parts = input.split(delimiter);
    if (parts.at(-1) === "") parts.pop();
    return parts.map((text, line) => ({ text, line }));
  }
  if (whole) {
    return input
      .split("\n")
      .map((text, line) => ({ text: quotesOff(text.replace(/^[ \t]+/, "")), line }))
      .filter(({ text }) => text !== "");
  }
  return wordsOf(input, options.value("E"));
}

function wordsOf(input: string, end: string | undefined): { text: string; line: number }[] {
  const items: { text: string; line: number }[] = [];
  let line = 0;
  let word: string | undefined;
  for (let at = 0; at <= input.length; at++) {
    const character = input[at];
    if (character === undefined || character === " " || character === "\t" || character === "\n") {
      if (word !== undefined) {
        if (word === end) return items;
        items.push({ text: word, line });
      }
      word = undefined;
      if (character === "\n" && !/[ \t]/.test(input[at - 1] ?? "")) line++;
    } else if (character === "'" || character === '"') {
      const close = input.indexOf(character, at + 1);
      if (close < 0 || input.slice(at, close).includes("\n")) {
        throw new Failure(
          `unmatched ${character === "'" ? "single" : "double"} quote; by default quotes are special to xargs unless you use the -0 option`,
        );
      }
      word = (word ?? "") + input.slice(at + 1, close);
      at = close;
    } else if (character === "\\" && at + 1 < input.length) {
      word = (word ?? "") + (input[++at] ?? "");
    } else {
      word = (word ?? "") + character;
    }
  }
  return items;
}

function quotesOff(text: string): string {
  if (!/['"\\]/.test(text)) return text;
  return text.replace(
    /\\(.)|'([^']*)'|"([^"]*)"/g,
    (_, escaped = "", single = "", double = "") => escaped + single + double,
  );
}

function* linesFor(
  items: readonly { text: string; line: number }[],
  options: Parsed,
  place: string | undefined,
  start: readonly string[],
): Generator<string[]> {
  if (place !== undefined) {
    for (const { text } of items) yield start.map((word, at) => (at === 0 ? word : word.replaceAll(place, () => text)));
    return;
  }
  if (items.length === 0) {
    if (!options.has("r")) yield [...start];
    return;
  }
  const most = options.has("n") ? countOf(options.value("n") ?? "", "number for -n option") : Number.POSITIVE_INFINITY;
  const lines = options.has("L") ? countOf(options.value("L") ?? "", "number for -L option") : Number.POSITIVE_INFINITY;
  const size = options.has("s") ? countOf(options.value("s") ?? "", "number for -s option") : LINE_MAX;
  if (most === 0 || lines === 0) throw new Failure(`value 0 for -${most === 0 ? "n" : "L"} option should be >= 1`);
  let batch: string[] = [];
  let length = 0;
  let first = items[0]?.line ?? 0;
  for (const { text, line } of items) {
    if (batch.length >= most || line - first >= lines || (batch.length > 0 && length + text.length + 1 > size)) {
      yield [...start, ...batch];
      batch = [];
      length = 0;
      first = line;
    }
    batch.push(text);
    length += text.length + 1;
  }
  yield [...start, ...batch];
}

function unescaped(text: string): string {
  const known: Readonly<Record<string, string>> = { "\\n": "\n", "\\t": "\t", "\\0": "\0", "\\\\": "\\", "\\r": "\r" };
  const delimiter = known[text] ?? text;
  if (delimiter.length !== 1)
    throw new Failure(
      `Invalid input delimiter specification ${text}: the delimiter must be either a single character or an escape sequence starting with \\.`,
    );
  return delimiter;
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

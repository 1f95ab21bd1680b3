/** `diff` as GNU has it: normal and unified output, briefly, and whole trees. */

import type { CustomCommand } from "just-bash";
import { textOf } from "../engine/byte-string.ts";
import { reason } from "../engine/reason.ts";
import { command, Failure, type Outcome, type Shell } from "./command.ts";
import { type Edit, editsOf } from "./line-edits.ts";
import { type Parsed, parseOptions } from "./options.ts";
import { shellWord } from "./shell-word.ts";

const OPTIONS = [
  "u",
  "U,unified?",
  "q,brief",
  "s,report-identical-files",
  "r,recursive",
  "N,new-file",
  "i,ignore-case",
  "w,ignore-all-space",
  "b,ignore-space-change",
  "B,ignore-blank-lines",
  "Z,ignore-trailing-space",
  "a,text",
  "label=",
  "L=",
  "normal",
  "x,exclude=",
  "strip-trailing-cr",
  "no-dereference",
  "color?",
  "d,minimal",
] as const;

export const diff: CustomCommand = command("diff", run);

async function run(shell: Shell): Promise<Outcome> {
  const options = parseOptions(shell.args, OPTIONS, {
    code: 2,
    rewrite: (arg) => (/^-\d+$/.test(arg) ? ["-u", `--unified=${arg.slice(1)}`] : undefined),
  });
  if (options.has("B") || options.value("color") === "always")
    throw new Failure("-B and --color=always are not supported in this shell", 2);
  const [one, two, extra] = options.operands;
  if (one === undefined || two === undefined) throw new Failure(`missing operand after '${one ?? "diff"}'`, 2);
  if (extra !== undefined) throw new Failure(`extra operand '${extra}'`, 2);
  const output: string[] = [];
  const kinds = await Promise.all([isDirectory(shell, one), isDirectory(shell, two)]);
  let code: number;
  if (kinds[0] && kinds[1]) code = await trees(shell, options, one, two, output);
  else if (kinds[0]) code = await files(shell, options, `${one.replace(/\/$/, "")}/${baseName(two)}`, two, output);
  else if (kinds[1]) code = await files(shell, options, one, `${two.replace(/\/$/, "")}/${baseName(one)}`, output);
  else code = await files(shell, options, one, two, output);
  return { stdout: output.join(""), code };
}

async function isDirectory(shell: Shell, path: string): Promise<boolean> {
  if (path === "-") return false;
  try {
    return (await shell.fs.stat(shell.path(path))).isDirectory;
  } catch (error) {
    throw new Failure(`${path}: ${reason(error)}`, 2);
  }
}

async function trees(shell: Shell, options: Parsed, one: string, two: string, output: string[]): Promise<number> {
  const [left, right] = await Promise.all([shell.fs.readdir(shell.path(one)), shell.fs.readdir(shell.path(two))]);
  const skipped = new Set(options.given.get("x") ?? []);
  let code = 0;
  for (const name of [...new Set([...left, ...right])].filter((each) => !skipped.has(each)).sort()) {
    const [a, b] = [`${one.replace(/\/$/, "")}/${name}`, `${two.replace(/\/$/, "")}/${name}`];
    if (!left.includes(name) || !right.includes(name)) {
      if (options.has("N")) throw new Failure("-N over trees is not supported in this shell", 2);
      output.push(`Only in ${left.includes(name) ? one.replace(/\/$/, "") : two.replace(/\/$/, "")}: ${name}\n`);
      code = 1;
      continue;
    }
    const [first, second] = await Promise.all([isDirectory(shell, a), isDirectory(shell, b)]);
    if (first && second) {
      if (options.has("r")) code = Math.max(code, await trees(shell, options, a, b, output));
      else output.push(`Common subdirectories: ${a} and ${b}\n`);
    } else if (first !== second) {
      output.push(
        `File ${a} is a ${first ? "directory" : "regular file"} while file ${b} is a ${second ? "directory" : "regular file"}\n`,
      );
      code = 1;
    } else {
      const said: string[] = [];
      const found = await files(shell, options, a, b, said);
      if (found !== 0 && !options.has("q"))
        output.push(`diff ${[...switches(shell.args), a, b].map(shellWord).join(" ")}\n`);
      output.push(...said);
      code = Math.max(code, found);
    }
  }
  return code;
}

function switches(args: readonly string[]): string[] {
  return args.filter((arg) => arg.startsWith("-") && arg !== "-");
}

async function files(shell: Shell, options: Parsed, one: string, two: string, output: string[]): Promise<number> {
  const read = async (path: string): Promise<Uint8Array> => {
    try {
      return await shell.read(path);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (options.has("N") && error.message.endsWith("No such file or directory")) return new Uint8Array();
      throw new Failure(error.message, 2);
    }
  };
  const [a, b] = [await read(one), await read(two)];
  if (same(a, b)) {
    if (options.has("s")) output.push(`Files ${one} and ${two} are identical\n`);
    return 0;
  }
  if (!options.has("a") && (a.includes(0) || b.includes(0))) {
    output.push(options.has("q") ? `Files ${one} and ${two} differ\n` : `Binary files ${one} and ${two} differ\n`);
    return options.has("q") ? 1 : 2;
  }
  const [left, right] = [linesWithEnds(textOf(a)), linesWithEnds(textOf(b))];
  const key = keyOf(options);
  const edits = editsOf(left.map(key), right.map(key));
  if (edits.length === 0) return 0;
  if (options.has("q")) output.push(`Files ${one} and ${two} differ\n`);
  else if (options.has("u") || options.has("U"))
    await unified(shell, options, { one, two, left, right, edits }, output);
  else normal({ left, right, edits }, output);
  return 1;
}

interface Difference {
  readonly left: readonly string[];
  readonly right: readonly string[];
  readonly edits: readonly Edit[];
}

function normal({ left, right, edits }: Difference, output: string[]): void {
  const span = (from: number, to: number): string => (to - from <= 1 ? `${from + 1}` : `${from + 1},${to}`);
  for (const { from, to, fromRight, toRight } of edits) {
    const [removed, added] = [to > from, toRight > fromRight];
    if (removed && added) output.push(`${span(from, to)}c${span(fromRight, toRight)}\n`);
    else if (removed) output.push(`${span(from, to)}d${fromRight}\n`);
    else output.push(`${from}a${span(fromRight, toRight)}\n`);
    for (const line of left.slice(from, to)) output.push(ended(`< ${line}`));
    if (removed && added) output.push("---\n");
    for (const line of right.slice(fromRight, toRight)) output.push(ended(`> ${line}`));
  }
}

async function unified(
  shell: Shell,
  options: Parsed,
  { one, two, left, right, edits }: Difference & { one: string; two: string },
  output: string[],
): Promise<void> {
  const context = Number(options.value("U") || 3);
  const labels = [...(options.given.get("label") ?? []), ...(options.given.get("L") ?? [])];
  output.push(
    `--- ${labels[0] ?? `${one}\t${await timeOf(shell, one)}`}\n+++ ${labels[1] ?? `${two}\t${await timeOf(shell, two)}`}\n`,
  );
  for (let first = 0; first < edits.length; ) {
    let last = first;
    while (last + 1 < edits.length && (edits[last + 1]?.from ?? 0) - (edits[last]?.to ?? 0) <= 2 * context) last++;
    const group = edits.slice(first, last + 1);
    first = last + 1;
    const [head, tail] = [group[0], group.at(-1)];
    if (head === undefined || tail === undefined) break;
    const before = Math.min(context, head.from);
    const after = Math.min(context, left.length - tail.to);
    const range = (from: number, to: number): string =>
      to - from === 1 ? `${from + 1}` : `${to === from ? from : from + 1},${to - from}`;
    output.push(
      `@@ -${range(head.from - before, tail.to + after)} +${range(head.fromRight - before, tail.toRight + after)} @@\n`,
    );
    let at = head.from - before;
    for (const { from, to, fromRight, toRight } of group) {
      for (; at < from; at++) output.push(ended(` ${left[at]}`));
      for (; at < to; at++) output.push(ended(`-${left[at]}`));
      for (const line of right.slice(fromRight, toRight)) output.push(ended(`+${line}`));
    }
    for (; at < tail.to + after; at++) output.push(ended(` ${left[at]}`));
  }
}

async function timeOf(shell: Shell, path: string): Promise<string> {
  const mtime =
    path === "-" ? new Date() : ((await shell.fs.stat(shell.path(path)).catch(() => undefined))?.mtime ?? new Date(0));
  return `${mtime.toISOString().replace("T", " ").replace("Z", "")}000000 +0000`;
}

function ended(line: string): string {
  return line.endsWith("\n") ? line : `${line}\n\\ No newline at end of file\n`;
}

function linesWithEnds(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function keyOf(options: Parsed): (line: string) => string {
  return (line) => {
    let key = options.has("strip-trailing-cr") ? line.replace(/\r\n$/, "\n") : line;
    if (options.has("w")) key = key.replace(/\s+/g, "");
    else if (options.has("b")) key = key.replace(/\s+$/, "").replace(/\s+/g, " ");
    else if (options.has("Z")) key = key.replace(/\s+$/, "");
    return options.has("i") ? key.toLowerCase() : key;
  };
}

function same(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}

function baseName(path: string): string {
  return path.replace(/\/+$/, "").split("/").at(-1) ?? path;
}

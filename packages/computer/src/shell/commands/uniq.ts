/** `uniq` as GNU has it. */

import type { CustomCommand } from "just-bash";
import { textOf } from "../engine/byte-string.ts";
import { command, Failure, linesOf, type Outcome, type Shell } from "./command.ts";
import { parseOptions } from "./options.ts";

export const uniq: CustomCommand = command("uniq", run);

const UNIQ_OPTIONS = [
  "c,count",
  "d,repeated",
  "D",
  "u,unique",
  "i,ignore-case",
  "f,skip-fields=",
  "s,skip-chars=",
  "w,check-chars=",
  "z,zero-terminated",
] as const;

async function run(shell: Shell): Promise<Outcome> {
  const options = parseOptions(shell.args, UNIQ_OPTIONS);
  const [input = "-", target, extra] = options.operands;
  if (extra !== undefined) throw new Failure(`extra operand '${extra}'`);
  const end = options.has("z") ? "\0" : "\n";
  const number = (name: string): number => {
    const text = options.value(name) ?? "0";
    if (!/^\d+$/.test(text))
      throw new Failure(
        `${text}: invalid number of ${name === "f" ? "fields to skip" : name === "s" ? "bytes to skip" : "bytes to compare"}`,
      );
    return Number(text);
  };
  const [fields, chars, width] = [number("f"), number("s"), options.has("w") ? number("w") : Number.POSITIVE_INFINITY];
  const keyOf = (line: string): string => {
    let rest = line;
    for (let skipped = 0; skipped < fields; skipped++) rest = rest.replace(/^[ \t]*[^ \t]*/, "");
    const key = rest.slice(chars, chars + width);
    return options.has("i") ? key.toLowerCase() : key;
  };
  const groups: { key: string; lines: string[] }[] = [];
  for (const line of linesOf(textOf(await shell.read(input)), end)) {
    const key = keyOf(line);
    const last = groups.at(-1);
    if (last?.key === key) last.lines.push(line);
    else groups.push({ key, lines: [line] });
  }
  const output: string[] = [];
  for (const { lines } of groups) {
    if (options.has("d") && lines.length === 1) continue;
    if (options.has("D") && lines.length === 1) continue;
    if (options.has("u") && lines.length > 1) continue;
    const told = options.has("D") ? lines : lines.slice(0, 1);
    for (const line of told)
      output.push(`${options.has("c") ? `${String(lines.length).padStart(7)} ` : ""}${line}${end}`);
  }
  if (target === undefined) return { stdout: output.join("") };
  await shell.fs.writeFile(shell.path(target), output.join(""));
  return {};
}

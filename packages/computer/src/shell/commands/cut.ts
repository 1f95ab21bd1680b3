/** `cut` as GNU has it. */

import type { CustomCommand } from "just-bash";
import { byteString, bytesOf, bytesOfByteString } from "../engine/byte-string.ts";
import { command, Failure, linesOf, type Outcome, type Shell } from "./command.ts";
import { parseOptions } from "./options.ts";

export const cut: CustomCommand = command("cut", run);

const CUT_OPTIONS = [
  "b,bytes=",
  "c,characters=",
  "f,fields=",
  "d,delimiter=",
  "s,only-delimited",
  "complement",
  "output-delimiter=",
  "n",
  "z,zero-terminated",
] as const;

async function run(shell: Shell): Promise<Outcome> {
  const options = parseOptions(shell.args, CUT_OPTIONS);
  const lists = options.order.filter(([name]) => "bcf".includes(name));
  if (lists.length === 0) throw new Failure("you must specify a list of bytes, characters, or fields");
  if (lists.length > 1) throw new Failure("only one list may be specified");
  const [kind, list] = lists[0] ?? ["f", ""];
  const delimiter = options.value("d") ?? "\t";
  if (kind !== "f" && options.has("d"))
    throw new Failure("an input delimiter may be specified only when operating on fields");
  if ([...delimiter].length > 1) throw new Failure("the delimiter must be a single character");
  const ranges = rangesOf(list, kind === "f" ? "field" : "byte/character");
  const chosen = (number: number): boolean =>
    ranges.some(([from, to]) => number >= from && number <= to) !== options.has("complement");
  const end = options.has("z") ? "\0" : "\n";
  const between = options.value("output-delimiter");
  const lines: string[] = [];
  let stderr = "";
  for (const path of options.operands.length > 0 ? options.operands : ["-"]) {
    let bytes: Uint8Array;
    try {
      bytes = await shell.read(path);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      stderr += `cut: ${error.message}\n`;
      continue;
    }
    // GNU cuts characters as bytes: every line is taken as its bytes.
    for (const line of linesOf(byteString(bytes), end)) {
      if (kind !== "f") {
        const parts: string[] = [];
        for (let at = 0, open = false; at < line.length; at++) {
          const take = chosen(at + 1);
          if (take && open) parts[parts.length - 1] += line[at] ?? "";
          else if (take) parts.push(line[at] ?? "");
          open = take;
        }
        lines.push(parts.join(byteText(between ?? "")));
        continue;
      }
      const mark = byteText(delimiter);
      const fields = line.split(mark);
      if (fields.length === 1) {
        if (!options.has("s")) lines.push(line);
        continue;
      }
      lines.push(fields.filter((_, at) => chosen(at + 1)).join(between === undefined ? mark : byteText(between)));
    }
  }
  return { stdout: bytesOfByteString(lines.map((line) => line + end).join("")), stderr, code: stderr === "" ? 0 : 1 };
}

function byteText(text: string): string {
  return byteString(bytesOf(text));
}

function rangesOf(list: string, what: string): [number, number][] {
  return list.split(/[,\s]/).map((part) => {
    const match = /^(\d*)(-?)(\d*)$/.exec(part);
    if (match === null || part === "" || part === "-") throw new Failure(`invalid ${what} value ‘${part}’`);
    const from = match[1] === "" ? 1 : Number(match[1]);
    const to = match[2] === "" ? from : match[3] === "" ? Number.POSITIVE_INFINITY : Number(match[3]);
    if (from === 0)
      throw new Failure(
        what === "field" ? "fields are numbered from 1" : "byte/character positions are numbered from 1",
      );
    if (to < from) throw new Failure("invalid decreasing range");
    return [from, to];
  });
}

/** `sort` as GNU has it. */

import type { CustomCommand } from "just-bash";
import { textOf } from "../engine/byte-string.ts";
import { command, Failure, linesOf, type Outcome, type Shell } from "./command.ts";
import { type Parsed, parseOptions } from "./options.ts";

const OPTIONS = [
  "b,ignore-leading-blanks",
  "d,dictionary-order",
  "f,ignore-case",
  "g,general-numeric-sort",
  "i,ignore-nonprinting",
  "M,month-sort",
  "h,human-numeric-sort",
  "n,numeric-sort",
  "R,random-sort",
  "random-source=",
  "r,reverse",
  "sort=",
  "V,version-sort",
  "batch-size=",
  "c,check?",
  "C",
  "compress-program=",
  "debug",
  "files0-from=",
  "k,key=",
  "m,merge",
  "o,output=",
  "s,stable",
  "S,buffer-size=",
  "t,field-separator=",
  "T,temporary-directory=",
  "parallel=",
  "u,unique",
  "z,zero-terminated",
] as const;

const KINDS = "bdfgiMhnRrV";

interface Key {
  readonly start: readonly [field: number, character: number];
  /** Character 0 is the end of the field. */
  readonly end: readonly [field: number, character: number] | undefined;
  readonly flags: string;
  readonly startBlanks: boolean;
  readonly endBlanks: boolean;
}

type Compare = (a: string, b: string) => number;

export const sort: CustomCommand = command("sort", run);

async function run(shell: Shell): Promise<Outcome> {
  const args = shell.args.map((arg) =>
    arg === "--sort=numeric"
      ? "-n"
      : arg === "--sort=version"
        ? "-V"
        : arg === "--check=quiet"
          ? "-C"
          : arg === "-c"
            ? "--check"
            : arg,
  );
  const options = parseOptions(args, OPTIONS, { code: 2 });
  for (const name of ["debug", "files0-from", "sort", "random-source"])
    if (options.has(name)) throw new Failure(`--${name} is not supported in this shell`, 2);
  const end = options.has("z") ? "\0" : "\n";
  const lines: string[] = [];
  const paths = options.operands.length > 0 ? options.operands : ["-"];
  for (const path of paths) {
    try {
      lines.push(...linesOf(textOf(await shell.read(path)), end));
    } catch (error) {
      if (error instanceof Failure) throw new Failure(`cannot read: ${error.message}`, 2);
      throw error;
    }
  }
  const { keyed, whole } = comparisonOf(options);
  if (options.has("c") || options.has("C")) return checked(lines, options, whole, paths[0] ?? "-");
  let sorted = shuffled(lines, options) ?? [...lines].sort(whole);
  if (options.has("u")) sorted = sorted.filter((line, at) => at === 0 || keyed(sorted[at - 1] ?? "", line) !== 0);
  const text = sorted.map((line) => line + end).join("");
  const output = options.value("o");
  if (output === undefined) return { stdout: text };
  await shell.fs.writeFile(shell.path(output), text);
  return {};
}

function checked(lines: readonly string[], options: Parsed, whole: Compare, path: string): Outcome {
  for (let at = 1; at < lines.length; at++) {
    const order = whole(lines[at - 1] ?? "", lines[at] ?? "");
    if (order > 0 || (order === 0 && options.has("u"))) {
      return { stderr: options.has("C") ? "" : `sort: ${path}:${at + 1}: disorder: ${lines[at]}\n`, code: 1 };
    }
  }
  return {};
}

/** Equal lines stay together. */
function shuffled(lines: readonly string[], options: Parsed): string[] | undefined {
  if (!options.has("R")) return undefined;
  if (options.has("k")) throw new Failure("-R with keys is not supported in this shell", 2);
  const order = new Map<string, number>();
  for (const line of lines) if (!order.has(line)) order.set(line, Math.random());
  return [...lines].sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
}

function comparisonOf(options: Parsed): { keyed: Compare; whole: Compare } {
  const flags = [...KINDS].filter((flag) => flag !== "R" && options.has(flag)).join("");
  const separator = separatorOf(options);
  const keys = (options.given.get("k") ?? []).map((text) => keyOf(text, flags));
  const last: Compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
  const direct = comparing(flags);
  const turn = (compare: Compare, reversed: boolean): Compare => (reversed ? (a, b) => compare(b, a) : compare);
  const keyed: Compare =
    keys.length === 0
      ? turn(
          (a, b) => direct(flags.includes("b") ? a.trimStart() : a, flags.includes("b") ? b.trimStart() : b),
          flags.includes("r"),
        )
      : chained(
          keys.map((key) =>
            turn(
              (
                (compare) => (a, b) =>
                  compare(partOf(a, key, separator), partOf(b, key, separator))
              )(comparing(key.flags)),
              key.flags.includes("r"),
            ),
          ),
        );
  if (options.has("s") || options.has("u")) return { keyed, whole: keyed };
  return { keyed, whole: chained([keyed, turn(last, options.has("r"))]) };
}

function chained(comparisons: readonly Compare[]): Compare {
  return (a, b) => {
    for (const compare of comparisons) {
      const order = compare(a, b);
      if (order !== 0) return order;
    }
    return 0;
  };
}

function separatorOf(options: Parsed): string | undefined {
  const text = options.value("t");
  if (text === undefined) return undefined;
  const separator = text === "\\0" ? "\0" : text;
  if ([...separator].length !== 1)
    throw new Failure(separator === "" ? "empty tab" : `multi-character tab ‘${text}’`, 2);
  return separator;
}

function keyOf(text: string, global: string): Key {
  const match = /^(\d+)(?:\.(\d+))?([a-zA-Z]*)(?:,(\d+)(?:\.(\d+))?([a-zA-Z]*))?$/.exec(text);
  if (match === null) throw new Failure(`invalid number at field start: invalid count at start of ‘${text}’`, 2);
  const [, field = "", character, startFlags = "", endField, endCharacter, endFlags = ""] = match;
  if (Number(field) === 0) throw new Failure(`-k: field number is zero: invalid field specification ‘${text}’`, 2);
  const own = startFlags + endFlags;
  const wrong = [...own].find((flag) => !KINDS.includes(flag) || flag === "R");
  if (wrong !== undefined) throw new Failure(`stray character in field spec: invalid field specification ‘${text}’`, 2);
  return {
    start: [Number(field), Number(character ?? 1)],
    end: endField === undefined ? undefined : [Number(endField), Number(endCharacter ?? 0)],
    flags: own === "" ? global : own,
    startBlanks: startFlags.includes("b") || (own === "" && global.includes("b")),
    endBlanks: endFlags.includes("b"),
  };
}

/** The part of a line that a key names. */
function partOf(line: string, { start, end, startBlanks, endBlanks }: Key, separator: string | undefined): string {
  const fields = fieldsOf(line, separator);
  const at = (field: number, character: number, blanks: boolean, atEnd: boolean): number => {
    const found = fields[field - 1];
    if (found === undefined) return line.length;
    if (atEnd && character === 0) return found[1];
    let from = found[0];
    if (blanks) while (from < found[1] && /[ \t]/.test(line[from] ?? "")) from++;
    return Math.min(from + (atEnd ? character : character - 1), line.length);
  };
  const from = at(start[0], start[1], startBlanks, false);
  return line.slice(from, end === undefined ? undefined : Math.max(from, at(end[0], end[1], endBlanks, true)));
}

/** Blanks before a field belong to it, unless a separator is given. */
function fieldsOf(line: string, separator: string | undefined): [number, number][] {
  const fields: [number, number][] = [];
  if (separator === undefined) {
    for (const match of line.matchAll(/[ \t]*[^ \t]+|[ \t]+$/g))
      fields.push([match.index, match.index + match[0].length]);
    return fields;
  }
  let from = 0;
  for (let at = line.indexOf(separator); at >= 0; at = line.indexOf(separator, from)) {
    fields.push([from, at]);
    from = at + separator.length;
  }
  fields.push([from, line.length]);
  return fields;
}

function comparing(flags: string): Compare {
  if (flags.includes("n")) return (a, b) => numeric(a) - numeric(b);
  if (flags.includes("g")) return (a, b) => general(a) - general(b);
  if (flags.includes("h")) return (a, b) => humanRank(a) - humanRank(b) || numeric(a) - numeric(b);
  if (flags.includes("M")) return (a, b) => month(a) - month(b);
  if (flags.includes("V")) return versions;
  const shape = (text: string): string => {
    let shaped = flags.includes("f") ? text.toUpperCase() : text;
    if (flags.includes("d")) shaped = shaped.replace(/[^ \tA-Za-z0-9]/g, "");
    return flags.includes("i") ? shaped.replace(/[^ -~]/g, "") : shaped;
  };
  if (flags.replace(/[br]/g, "") === "") return (a, b) => (a < b ? -1 : a > b ? 1 : 0);
  return (a, b) => {
    const [x, y] = [shape(a), shape(b)];
    return x < y ? -1 : x > y ? 1 : 0;
  };
}

function numeric(text: string): number {
  return Number(/^[ \t]*(-?\d*\.?\d*)/.exec(text)?.[1] || 0) || 0;
}

function general(text: string): number {
  const value = Number.parseFloat(text);
  return Number.isNaN(value) ? Number.NEGATIVE_INFINITY : value;
}

function humanRank(text: string): number {
  const match = /^[ \t]*(-?)\d*\.?\d*([KkMGTPEZY]?)/.exec(text);
  const rank = " KMGTPEZY".indexOf((match?.[2] ?? "").toUpperCase() || " ");
  return match?.[1] === "-" ? -rank : rank;
}

function month(text: string): number {
  return "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC".indexOf(text.trimStart().slice(0, 3).toUpperCase().padEnd(3, "?")) / 3;
}

function versions(a: string, b: string): number {
  const [left, right] = [a.match(/\d+|\D+/g) ?? [], b.match(/\d+|\D+/g) ?? []];
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    const [x = "", y = ""] = [left[at], right[at]];
    const order = /^\d/.test(x) && /^\d/.test(y) ? Number(x) - Number(y) : x < y ? -1 : x > y ? 1 : 0;
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** `head`, `tail`, `cut`, `uniq`, `wc` and `tr` as GNU has them. */

import type { CustomCommand } from "just-bash";
import { byteString, bytesOf, bytesOfByteString, textOf } from "../engine/byte-string.ts";
import type { RemoteFiles } from "../files/remote-files.ts";
import { command, Failure, linesOf, type Outcome, type Shell } from "./command.ts";
import { countOf, type Parsed, parseOptions } from "./options.ts";

export function partsOfFiles(files: RemoteFiles | undefined): CustomCommand[] {
  return [
    command("head", (shell) => ends(shell, head)),
    command("tail", (shell) => ends(shell, tail)),
    command("cut", cut),
    command("uniq", uniq),
    command("wc", (shell) => wc(shell, files)),
    command("tr", tr),
  ];
}

const END_OPTIONS = ["n,lines=", "c,bytes=", "q,quiet,silent", "v,verbose", "z,zero-terminated"] as const;

type End = (bytes: Uint8Array, count: string, unit: "lines" | "bytes", end: number) => Uint8Array;

async function ends(shell: Shell, take: End): Promise<Outcome> {
  const rewrite = (arg: string): string[] | undefined => {
    const old = /^-(\d+)([cb]?)$/.exec(arg) ?? (take === tail ? /^(\+\d+)()$/.exec(arg) : null);
    return old === null ? undefined : [old[2] === "" ? "-n" : "-c", old[1] ?? ""];
  };
  if (take === tail && shell.args.some((arg) => /^(?:-[a-z]*[fF]|--follow|--retry)/.test(arg))) {
    throw new Failure("following a file is not supported in this shell");
  }
  const options = parseOptions(shell.args, END_OPTIONS, { rewrite });
  const [unit, count] = options.order.filter(([name]) => name === "n" || name === "c").at(-1) ?? ["n", "10"];
  const what = unit === "n" ? "lines" : "bytes";
  const sign = /^[+-]/.exec(count)?.[0] ?? "";
  const number = `${sign}${countOf(count.slice(sign.length), `number of ${what}`)}`;
  const paths = options.operands.length > 0 ? options.operands : ["-"];
  const told = options.has("v") || (paths.length > 1 && !options.has("q"));
  const output: Uint8Array[] = [];
  let stderr = "";
  for (const path of paths) {
    try {
      const bytes = await shell.read(path);
      const title = `${output.length > 0 ? "\n" : ""}==> ${path === "-" ? "standard input" : path} <==\n`;
      output.push(
        told
          ? joined([bytesOf(title), take(bytes, number, what, options.has("z") ? 0 : 10)])
          : take(bytes, number, what, options.has("z") ? 0 : 10),
      );
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const directory = error.message.endsWith("Is a directory");
      stderr += directory
        ? `${take === head ? "head" : "tail"}: error reading '${path}': Is a directory\n`
        : `${take === head ? "head" : "tail"}: cannot open '${path}' for reading: ${error.message.slice(path.length + 2)}\n`;
    }
  }
  return { stdout: joined(output), stderr, code: stderr === "" ? 0 : 1 };
}

const head: End = (bytes, count, unit, end) => {
  const number = Math.abs(Number(count));
  if (unit === "bytes")
    return count.startsWith("-") ? bytes.subarray(0, Math.max(0, bytes.length - number)) : bytes.subarray(0, number);
  return count.startsWith("-")
    ? bytes.subarray(0, lastLines(bytes, number, end))
    : bytes.subarray(0, firstLines(bytes, number, end));
};

const tail: End = (bytes, count, unit, end) => {
  const number = Math.abs(Number(count));
  if (count.startsWith("+")) {
    const skipped = Math.max(0, number - 1);
    return bytes.subarray(unit === "bytes" ? skipped : firstLines(bytes, skipped, end));
  }
  return bytes.subarray(unit === "bytes" ? Math.max(0, bytes.length - number) : lastLines(bytes, number, end));
};

/** Where the first lines end. */
function firstLines(bytes: Uint8Array, count: number, end: number): number {
  let at = 0;
  for (let line = 0; line < count; line++) {
    const next = bytes.indexOf(end, at);
    if (next < 0) return bytes.length;
    at = next + 1;
  }
  return at;
}

/** Where the last lines begin. */
function lastLines(bytes: Uint8Array, count: number, end: number): number {
  if (count === 0) return bytes.length;
  let at = bytes.at(-1) === end ? bytes.length - 1 : bytes.length;
  for (let line = 0; line < count; line++) {
    const before = at === 0 ? -1 : bytes.lastIndexOf(end, at - 1);
    if (before < 0) return 0;
    at = before;
  }
  return at + 1;
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

async function cut(shell: Shell): Promise<Outcome> {
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

async function uniq(shell: Shell): Promise<Outcome> {
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

const WC_OPTIONS = ["l,lines", "w,words", "c,bytes", "m,chars", "L,max-line-length", "files0-from="] as const;

async function wc(shell: Shell, files: RemoteFiles | undefined): Promise<Outcome> {
  const options = parseOptions(shell.args, WC_OPTIONS);
  if (options.has("files0-from")) throw new Failure("--files0-from is not supported in this shell");
  const paths = options.operands.length > 0 ? options.operands : ["-"];
  await files?.prefetchFiles(paths.filter((path) => path !== "-").map((path) => shell.path(path)));
  const kinds = (["l", "w", "m", "c", "L"] as const).filter((kind) => options.has(kind));
  const columns = kinds.length > 0 ? kinds : (["l", "w", "c"] as const);
  const rows: { name: string; counts: Readonly<Record<string, number>> }[] = [];
  let stderr = "";
  let regular = 0;
  let total = 0;
  for (const path of paths) {
    try {
      const bytes = await shell.read(path);
      rows.push({ name: path, counts: countsOf(bytes, columns) });
      if (path !== "-") {
        regular++;
        total += bytes.length;
      }
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      stderr += `wc: ${error.message}\n`;
      if (error.message.endsWith("Is a directory")) rows.push({ name: path, counts: { l: 0, w: 0, m: 0, c: 0, L: 0 } });
    }
  }
  if (paths.length > 1) {
    const sums = Object.fromEntries(
      columns.map((kind) => [
        kind,
        rows.reduce(
          (sum, { counts }) => (kind === "L" ? Math.max(sum, counts[kind] ?? 0) : sum + (counts[kind] ?? 0)),
          0,
        ),
      ]),
    );
    rows.push({ name: "total", counts: sums });
  }
  const width = widthOf({ paths, columns: columns.length, regular, total });
  const output = rows.map(({ name, counts }) => {
    const numbers = columns.map((kind) => String(counts[kind] ?? 0).padStart(width)).join(" ");
    return options.operands.length === 0 ? `${numbers}\n` : `${numbers} ${name}\n`;
  });
  return { stdout: output.join(""), stderr, code: stderr === "" ? 0 : 1 };
}

/** How wide GNU makes a column: as the sum of all sizes needs, and 7 where a size cannot be known before. */
function widthOf({
  paths,
  columns,
  regular,
  total,
}: {
  paths: readonly string[];
  columns: number;
  regular: number;
  total: number;
}): number {
  if (paths.length === 1 && columns === 1) return 1;
  const least = paths.includes("-") ? 7 : 1;
  return Math.max(least, regular > 0 ? String(total).length : 1);
}

function countsOf(bytes: Uint8Array, kinds: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = { c: bytes.length };
  if (kinds.includes("l")) {
    let lines = 0;
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines++;
    counts.l = lines;
  }
  if (kinds.includes("w") || kinds.includes("m") || kinds.includes("L")) {
    const text = textOf(bytes);
    counts.w = text.match(/[^\s]+/g)?.length ?? 0;
    counts.m = [...text.replace(/[\uDC80-\uDCFF](?<![\uD800-\uDBFF].)/g, "")].length;
    counts.L = linesOf(text).reduce((longest, line) => Math.max(longest, [...line].length), 0);
  }
  return counts;
}

const TR_OPTIONS = ["c,C,complement", "d,delete", "s,squeeze-repeats", "t,truncate-set1"] as const;

function tr(shell: Shell): Outcome {
  const options = parseOptions(shell.args, TR_OPTIONS, { posix: true });
  const [first, second, extra] = options.operands;
  if (first === undefined) throw new Failure("missing operand");
  const one = options.has("d") ? (options.has("s") ? 2 : 1) : 2;
  if (options.operands.length < one && !(options.has("s") && !options.has("d")))
    throw new Failure(`missing operand after '${first}'`);
  if (extra !== undefined || (options.has("d") && !options.has("s") && second !== undefined))
    throw new Failure(`extra operand '${extra ?? second}'`);
  const { chosen, places } = setOf(first, options);
  const squeezed = second === undefined ? chosen : setOf(second, { has: () => false }).chosen;
  const target = second === undefined || options.has("d") ? undefined : places(second);
  const input = shell.stdin();
  const output = new Uint8Array(input.length);
  let length = 0;
  let last = -1;
  for (const byte of input) {
    if (options.has("d") && chosen[byte] === 1) continue;
    const mapped = target === undefined ? byte : (target[byte] ?? byte);
    if (options.has("s") && mapped === last && squeezed[mapped] === 1) continue;
    output[length++] = mapped;
    last = mapped;
  }
  return { stdout: output.subarray(0, length) };
}

/** The bytes of a set, and what each becomes by a second one. GNU's `tr` knows bytes only. */
function setOf(text: string, options: Pick<Parsed, "has">): { chosen: Uint8Array; places(second: string): number[] } {
  const listed = bytesIn(text);
  const chosen = new Uint8Array(256);
  for (const byte of listed) chosen[byte] = 1;
  let order = listed;
  if (options.has("c")) {
    for (let byte = 0; byte < 256; byte++) chosen[byte] = chosen[byte] === 1 ? 0 : 1;
    order = [...chosen.keys()].filter((byte) => chosen[byte] === 1);
  }
  return {
    chosen,
    places(second) {
      const to = bytesIn(second, order.length);
      if (to.length === 0) throw new Failure("when not truncating set1, string2 must be non-empty");
      const map: number[] = [];
      order.forEach((byte, at) => {
        if (at < to.length || !options.has("t")) map[byte] = to[Math.min(at, to.length - 1)] ?? byte;
      });
      return map;
    },
  };
}

const ESCAPES: Readonly<Record<string, number>> = { "\\": 92, a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 };
const TR_CLASSES: Readonly<Record<string, RegExp>> = {
  alpha: /[A-Za-z]/,
  digit: /[0-9]/,
  alnum: /[A-Za-z0-9]/,
  upper: /[A-Z]/,
  lower: /[a-z]/,
  space: /[\t-\r ]/,
  blank: /[\t ]/,
  punct: /[!-/:-@[-`{-~]/,
  print: /[ -~]/,
  graph: /[!-~]/,
  cntrl: /\p{Cc}/u,
  xdigit: /[0-9A-Fa-f]/,
};

function bytesIn(text: string, wanted = 0): number[] {
  const bytes: number[] = [];
  const raw = byteText(text);
  const next = (at: number): [number, number] => {
    if (raw[at] !== "\\") return [raw.charCodeAt(at), at + 1];
    const octal = /^[0-7]{1,3}/.exec(raw.slice(at + 1))?.[0];
    if (octal !== undefined) return [Number.parseInt(octal, 8) % 256, at + 1 + octal.length];
    const letter = raw[at + 1] ?? "\\";
    return [ESCAPES[letter] ?? letter.charCodeAt(0), at + 2];
  };
  for (let at = 0; at < raw.length; ) {
    const named = /^\[:([a-z]+):\]/.exec(raw.slice(at));
    const known = named === null ? undefined : TR_CLASSES[named[1] ?? ""];
    if (named !== null) {
      if (known === undefined) throw new Failure(`invalid character class '${named[1]}'`);
      for (let byte = 0; byte < 256; byte++) if (known.test(String.fromCharCode(byte))) bytes.push(byte);
      at += named[0].length;
      continue;
    }
    const filled = /^\[(.)\*(\d*)\]/.exec(raw.slice(at));
    if (filled !== null) {
      const count =
        filled[2] === "" || Number(filled[2]) === 0 ? Math.max(0, wanted - bytes.length) : Number(filled[2]);
      for (let times = 0; times < count; times++) bytes.push((filled[1] ?? "").charCodeAt(0));
      at += filled[0].length;
      continue;
    }
    const [from, after] = next(at);
    if (raw[after] === "-" && after + 1 < raw.length) {
      const [to, past] = next(after + 1);
      if (to < from)
        throw new Failure(`range-endpoints of '${raw.slice(at, past)}' are in reverse collating sequence order`);
      for (let byte = from; byte <= to; byte++) bytes.push(byte);
      at = past;
    } else {
      bytes.push(from);
      at = after;
    }
  }
  return bytes;
}

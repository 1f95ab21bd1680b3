/** `grep`, `egrep` and `fgrep` as GNU has them. */

import type { CustomCommand } from "just-bash";
import { bytesOf, textOf } from "../engine/byte-string.ts";
import { reason } from "../engine/reason.ts";
import type { RemoteFiles } from "../files/remote-files.ts";
import { command, Failure, linesOf, type Outcome, type Shell } from "./command.ts";
import { below, filterOf, kept } from "./grep-files.ts";
import { type Parsed, parseOptions } from "./options.ts";
import { type Matcher, matcherOf, type Syntax } from "./regular-expression.ts";

const OPTIONS = [
  "E,extended-regexp",
  "F,fixed-strings",
  "G,basic-regexp",
  "P,perl-regexp",
  "e,regexp=",
  "f,file=",
  "i,ignore-case",
  "y",
  "no-ignore-case",
  "v,invert-match",
  "w,word-regexp",
  "x,line-regexp",
  "c,count",
  "l,files-with-matches",
  "L,files-without-match",
  "q,quiet,silent",
  "s,no-messages",
  "n,line-number",
  "b,byte-offset",
  "H,with-filename",
  "h,no-filename",
  "o,only-matching",
  "r,recursive",
  "R,dereference-recursive",
  "a,text",
  "I",
  "binary-files=",
  "m,max-count=",
  "A,after-context=",
  "B,before-context=",
  "C,context=",
  "z,null-data",
  "Z,null",
  "T,initial-tab",
  "include=",
  "exclude=",
  "exclude-dir=",
  "color?",
  "colour?",
  "line-buffered",
  "U,binary",
  "label=",
  "V,version",
  "help",
] as const;

/** Searches of one command line. */
interface Search {
  readonly options: Parsed;
  readonly matcher: Matcher;
  readonly names: boolean;
  readonly before: number;
  readonly after: number;
  readonly max: number;
  readonly end: string;
}

export function grepCommands(files: RemoteFiles | undefined): CustomCommand[] {
  const grep = (name: string, syntax: Syntax): CustomCommand => command(name, (shell) => run(shell, syntax, files));
  return [grep("grep", "basic"), grep("egrep", "extended"), grep("fgrep", "fixed")];
}

async function run(shell: Shell, byName: Syntax, files: RemoteFiles | undefined): Promise<Outcome> {
  const rewrite = (arg: string): string[] | undefined => (/^-\d+$/.test(arg) ? ["-C", arg.slice(1)] : undefined);
  const options = parseOptions(shell.args, OPTIONS, { code: 2, rewrite });
  const color = options.value("color") ?? options.value("colour");
  if (color === "always") throw new Failure("--color=always is not supported in this shell", 2);
  if (options.has("help") || options.has("V"))
    throw new Failure("--help and --version are not supported in this shell", 2);
  const { patterns, operands } = await patternsOf(shell, options);
  const recursive = options.has("r") || options.has("R");
  const paths = operands.length > 0 ? operands : [recursive ? "" : "-"];
  const search = await searchOf(options, patterns, syntaxOf(options, byName), recursive || paths.length > 1);
  const needle = needleOf(options, patterns, syntaxOf(options, byName));
  const output: string[] = [];
  let stderr = "";
  let selected = false;
  let failed = false;
  const fail = (path: string, why: string): void => {
    failed = true;
    if (!options.has("s")) stderr += `grep: ${path}: ${why}\n`;
  };
  const take = async (path: string): Promise<boolean> => {
    try {
      const found = await searchIn(
        search,
        path === "-" ? (options.value("label") ?? "(standard input)") : path,
        await shell.read(path),
        output,
        shell,
      );
      selected ||= found;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      fail(path, error.message.slice(path.length + 2));
    }
    return selected && options.has("q");
  };
  for (const path of paths) {
    if (!recursive) {
      if (path !== "-" && (await isDirectory(shell, path))) fail(path, "Is a directory");
      else if (await take(path)) break;
      continue;
    }
    const at = shell.path(path === "" ? "." : path);
    // Files that do not have the needle stay where they are.
    const found = needle === undefined ? undefined : await files?.search(at, needle);
    if (found === undefined) await files?.prefetch(at, { contents: true });
    const kind = await shell.fs.stat(at).catch((error: unknown) => fail(path, reason(error)));
    if (kind === undefined) continue;
    if (!kind.isDirectory) {
      if (await take(path)) break;
      continue;
    }
    let done = false;
    const wanted = filterOf(options);
    for await (const file of found === undefined ? below(shell, path, at, options) : kept(found, path, wanted)) {
      if (await take(file)) {
        done = true;
        break;
      }
    }
    if (done) break;
  }
  if (options.has("q")) return { stderr, code: selected ? 0 : failed ? 2 : 1 };
  return { stdout: output.join(""), stderr, code: failed ? 2 : selected ? 0 : 1 };
}

async function patternsOf(shell: Shell, options: Parsed): Promise<{ patterns: string[]; operands: string[] }> {
  const patterns: string[] = [];
  for (const text of options.given.get("e") ?? []) patterns.push(...text.split("\n"));
  for (const path of options.given.get("f") ?? []) {
    try {
      patterns.push(...linesOf(textOf(await shell.read(path))));
    } catch (error) {
      throw error instanceof Failure ? new Failure(error.message, 2) : error;
    }
  }
  if (options.has("e") || options.has("f")) return { patterns, operands: options.operands };
  const [pattern, ...operands] = options.operands;
  if (pattern === undefined) throw new Failure("usage: grep [OPTION]... PATTERNS [FILE]...", 2);
  return { patterns: pattern.split("\n"), operands };
}

function syntaxOf(options: Parsed, byName: Syntax): Syntax {
  const last = options.order.filter(([name]) => "EFGP".includes(name)).at(-1)?.[0];
  if (last === undefined) return byName;
  return { E: "extended", F: "fixed", G: "basic", P: "perl" }[last] as Syntax;
}

async function searchOf(
  options: Parsed,
  patterns: readonly string[],
  syntax: Syntax,
  several: boolean,
): Promise<Search> {
  const count = (name: string): number | undefined => {
    const text = options.value(name);
    if (text === undefined) return undefined;
    if (!/^\d+$/.test(text))
      throw new Failure(`${text}: invalid ${name === "m" ? "max count" : "context length argument"}`, 2);
    return Number(text);
  };
  const around = count("C") ?? 0;
  const kind = options.value("binary-files");
  if (kind !== undefined && !["binary", "text", "without-match"].includes(kind)) {
    throw new Failure(`invalid argument ‘${kind}’ for ‘--binary-files’`, 2);
  }
  const naming = options.order.filter(([name]) => name === "H" || name === "h").at(-1)?.[0];
  return {
    options,
    matcher:
      patterns.length === 0
        ? { test: () => false, all: () => [] }
        : await matcherOf(patterns, {
            syntax,
            ignoreCase: options.has("i") || options.has("y"),
            word: options.has("w"),
            line: options.has("x"),
            longest: options.has("o"),
          }),
    names: naming === undefined ? several : naming === "H",
    before: count("B") ?? around,
    after: count("A") ?? around,
    max: count("m") ?? Number.POSITIVE_INFINITY,
    end: options.has("z") ? "\0" : "\n",
  };
}

/** Bytes that every selected line has, where that is plain to see, and no link is to be followed to files of other places. */
function needleOf(options: Parsed, patterns: readonly string[], syntax: Syntax): Uint8Array | undefined {
  if (["v", "c", "L", "i", "y", "z", "R"].some((name) => options.has(name))) return undefined;
  const [pattern] = patterns;
  if (patterns.length !== 1 || pattern === undefined || pattern === "") return undefined;
  const plain = syntax === "fixed" ? pattern : /^[\w\s\-=:;,"'<>/@#%&!~é]+$/.test(pattern) ? pattern : undefined;
  return plain === undefined ? undefined : bytesOf(plain);
}

async function isDirectory(shell: Shell, path: string): Promise<boolean> {
  return shell.fs.stat(shell.path(path)).then(
    (stat) => stat.isDirectory,
    () => false,
  );
}

/** Searches one file and tells what is found; whether a line was selected. */
async function searchIn(
  search: Search,
  path: string,
  bytes: Uint8Array,
  output: string[],
  shell: Shell,
): Promise<boolean> {
  const { options, matcher, names, max, end } = search;
  const binary = !options.has("a") && options.value("binary-files") !== "text" && isBinary(bytes, end);
  if (binary && (options.has("I") || options.value("binary-files") === "without-match")) return false;
  // In a binary file a NUL byte ends a line too.
  const text = textOf(bytes);
  const lines = linesOf(binary && end === "\n" ? text.replaceAll("\0", "\n") : text, end);
  const invert = options.has("v");
  const told = options.has("c") || options.has("l") || options.has("L") || options.has("q");
  const printer = new Printer(search, path, lines, output);
  let count = 0;
  for (let at = 0; at < lines.length && count < max; at++) {
    const pause = shell.line();
    if (pause !== undefined) await pause;
    if (matcher.test(lines[at] ?? "") === invert) continue;
    count++;
    if (options.has("l") || options.has("L") || options.has("q")) break;
    if (told) continue;
    if (binary) {
      output.push(`Binary file ${path} matches\n`);
      return true;
    }
    printer.select(at);
  }
  if (!told) printer.finish();
  if (options.has("q")) return count > 0;
  const separator = options.has("Z") ? "\0" : "\n";
  if (options.has("L")) {
    if (count === 0) output.push(`${path}${separator}`);
    return count === 0;
  }
  if (options.has("l")) {
    if (count > 0) output.push(`${path}${separator}`);
  } else if (options.has("c")) {
    output.push(names ? `${path}${options.has("Z") ? "\0" : ":"}${count}\n` : `${count}\n`);
  }
  return count > 0;
}

/** GNU takes a file for binary that has a NUL byte or is no text in its encoding. */
function isBinary(bytes: Uint8Array, end: string): boolean {
  if (end === "\n" && bytes.includes(0)) return true;
  return /[\uDC80-\uDCFF]/.test(textOf(bytes).replace(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g, ""));
}

/** Prints selected lines with what stands around them. */
class Printer {
  readonly #search: Search;
  readonly #path: string;
  readonly #lines: readonly string[];
  readonly #output: string[];
  readonly #offsets: number[] | undefined;
  #printed = -1;
  #last = -1;

  constructor(search: Search, path: string, lines: readonly string[], output: string[]) {
    this.#search = search;
    this.#path = path;
    this.#lines = lines;
    this.#output = output;
    if (search.options.has("b")) {
      let offset = 0;
      this.#offsets = lines.map((line) => {
        const at = offset;
        offset += bytesOf(line).length + 1;
        return at;
      });
    }
  }

  select(at: number): void {
    const { before, options } = this.#search;
    this.#context(this.#last + 1, at, this.#last);
    const first = Math.max(at - before, this.#printed + 1);
    this.#gap(first);
    if (!options.has("o")) for (let line = first; line < at; line++) this.#line(line, "-");
    if (options.has("o")) this.#only(at);
    else this.#line(at, ":");
    this.#printed = at;
    this.#last = at;
  }

  finish(): void {
    this.#context(this.#last + 1, this.#lines.length, this.#last);
  }

  /** What follows the selected line before. */
  #context(from: number, to: number, last: number): void {
    if (last < 0 || this.#search.options.has("o")) return;
    for (let line = Math.max(from, this.#printed + 1); line < to && line <= last + this.#search.after; line++) {
      this.#line(line, "-");
      this.#printed = line;
    }
  }

  #gap(first: number): void {
    const { before, after } = this.#search;
    if ((before > 0 || after > 0) && this.#printed >= 0 && first > this.#printed + 1) this.#output.push("--\n");
  }

  #only(at: number): void {
    const { matcher, options } = this.#search;
    if (options.has("v")) return;
    const line = this.#lines[at] ?? "";
    for (const { start, end } of matcher.all(line)) {
      if (end === start) continue;
      const offset =
        (this.#offsets?.[at] ?? 0) + (this.#offsets === undefined ? 0 : bytesOf(line.slice(0, start)).length);
      this.#output.push(`${this.#prefix(at, ":", offset)}${line.slice(start, end)}${this.#search.end}`);
    }
  }

  #line(at: number, mark: string): void {
    this.#output.push(`${this.#prefix(at, mark, this.#offsets?.[at] ?? 0)}${this.#lines[at]}${this.#search.end}`);
  }

  #prefix(at: number, mark: string, offset: number): string {
    const { names, options } = this.#search;
    const name = names ? `${this.#path}${options.has("Z") ? "\0" : mark}` : "";
    const number = options.has("n") ? `${at + 1}${mark}` : "";
    const place = options.has("b") ? `${offset}${mark}` : "";
    const prefix = `${name}${number}${place}`;
    return options.has("T") && prefix !== "" ? `${prefix.slice(0, -1)}\t${mark}` : prefix;
  }
}

/** `ls` as GNU has it where its output is no terminal. */

import type { CustomCommand, FsStat } from "just-bash";
import { reason } from "../engine/reason.ts";
import type { RemoteFiles } from "../files/remote-files.ts";
import { command, type Outcome, type Shell } from "./command.ts";
import { globMatcher } from "./glob-matcher.ts";
import { type Parsed, parseOptions } from "./options.ts";

const OPTIONS = [
  "a,all",
  "A,almost-all",
  "B,ignore-backups",
  "d,directory",
  "F,classify",
  "p",
  "file-type",
  "h,human-readable",
  "i,inode",
  "k",
  "l",
  "g",
  "o",
  "n,numeric-uid-gid",
  "G,no-group",
  "r,reverse",
  "R,recursive",
  "s,size",
  "S",
  "t",
  "u",
  "U",
  "X",
  "v",
  "f",
  "c",
  "1",
  "C",
  "x",
  "m",
  "L,dereference",
  "H",
  "I,ignore=",
  "N,literal",
  "b,escape",
  "q",
  "Q",
  "group-directories-first",
  "color?",
  "full-time",
  "time-style=",
  "sort=",
  "format=",
  "w,width=",
  "T,tabsize=",
] as const;

const REFUSED = ["m", "Q", "b", "full-time", "time-style", "sort", "format", "i", "c", "u", "X"] as const;

interface Entry {
  readonly name: string;
  readonly path: string;
  readonly stat: FsStat;
  /** A link's. */
  readonly target?: string | undefined;
}

export function ls(files: RemoteFiles | undefined): CustomCommand {
  return command("ls", (shell) => run(shell, files));
}

async function run(shell: Shell, files: RemoteFiles | undefined): Promise<Outcome> {
  const options = parseOptions(shell.args, OPTIONS, { code: 2 });
  const refused = REFUSED.find((name) => options.has(name));
  if (refused !== undefined)
    return { stderr: `ls: ${refused.length > 1 ? "--" : "-"}${refused}: not supported in this shell\n`, code: 2 };
  const listed: Entry[] = [];
  const folders: Entry[] = [];
  let stderr = "";
  let code = 0;
  for (const name of options.operands.length > 0 ? options.operands : ["."]) {
    const path = shell.path(name);
    try {
      const entry = await entryOf(shell, options, name, path, true);
      const folder = options.has("d")
        ? false
        : entry.stat.isDirectory ||
          (entry.stat.isSymbolicLink && !long(options) && (await leadsToDirectory(shell, path)));
      (folder ? folders : listed).push(entry);
    } catch (error) {
      stderr += `ls: cannot access '${name}': ${reason(error)}\n`;
      code = 2;
    }
  }
  const output: string[] = [];
  if (listed.length > 0) output.push(table(ordered(listed, options), options));
  const titled = options.has("R") || folders.length + listed.length > 1 || code !== 0;
  for (const folder of ordered(folders, options)) {
    if (options.has("R")) await files?.prefetch(folder.path, { contents: false });
    await list(shell, options, folder, titled, output);
  }
  return { stdout: output.join("\n"), stderr, code };
}

async function list(shell: Shell, options: Parsed, folder: Entry, titled: boolean, output: string[]): Promise<void> {
  const hidden = options.has("a") || options.has("A") || options.has("f");
  const ignored = (options.given.get("I") ?? []).map((glob) => globMatcher(glob));
  const names = (await shell.fs.readdir(folder.path)).filter(
    (name) =>
      (hidden || !name.startsWith(".")) &&
      !ignored.some((matches) => matches(name)) &&
      !(options.has("B") && name.endsWith("~")),
  );
  const entries: Entry[] = [];
  if (options.has("a") || options.has("f")) {
    for (const name of [".", ".."])
      entries.push(await entryOf(shell, options, name, shell.fs.resolvePath(folder.path, name), false));
  }
  for (const name of names)
    entries.push(await entryOf(shell, options, name, `${folder.path === "/" ? "" : folder.path}/${name}`, false));
  const total =
    long(options) || options.has("s")
      ? `total ${options.has("h") ? human(blocks(entries) * 1024) : blocks(entries)}\n`
      : "";
  const sorted = ordered(entries, options);
  output.push(`${titled ? `${folder.name}:\n` : ""}${total}${table(sorted, options)}`);
  if (!options.has("R")) return;
  for (const entry of sorted) {
    if (!entry.stat.isDirectory || entry.name === "." || entry.name === "..") continue;
    await list(shell, options, { ...entry, name: `${folder.name.replace(/\/$/, "")}/${entry.name}` }, true, output);
  }
}

async function entryOf(shell: Shell, options: Parsed, name: string, path: string, operand: boolean): Promise<Entry> {
  const follow = options.has("L") || (operand && options.has("H")) || name.endsWith("/");
  const stat = follow ? await shell.fs.stat(path) : await shell.fs.lstat(path);
  return { name, path, stat, ...(stat.isSymbolicLink ? { target: await shell.fs.readlink(path) } : {}) };
}

async function leadsToDirectory(shell: Shell, path: string): Promise<boolean> {
  return shell.fs.stat(path).then(
    (stat) => stat.isDirectory,
    () => false,
  );
}

function long(options: Parsed): boolean {
  return ["l", "g", "o", "n"].some((name) => options.has(name));
}

function ordered(entries: readonly Entry[], options: Parsed): Entry[] {
  if (options.has("U") || options.has("f")) return [...entries];
  const by = options.order.filter(([name]) => ["S", "t", "v"].includes(name)).at(-1)?.[0];
  const size = ({ stat }: Entry): number => (stat.isDirectory ? DIRECTORY : stat.size);
  const compare = (a: Entry, b: Entry): number => {
    if (by === "S" && size(a) !== size(b)) return size(b) - size(a);
    if (by === "t" && a.stat.mtime.getTime() !== b.stat.mtime.getTime())
      return b.stat.mtime.getTime() - a.stat.mtime.getTime();
    if (by === "v") return versions(a.name, b.name);
    return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
  };
  const sorted = [...entries].sort((a, b) => (options.has("r") ? compare(b, a) : compare(a, b)));
  if (!options.has("group-directories-first")) return sorted;
  return [...sorted.filter(({ stat }) => stat.isDirectory), ...sorted.filter(({ stat }) => !stat.isDirectory)];
}

function versions(a: string, b: string): number {
  const [left, right] = [a.match(/\d+|\D+/g) ?? [], b.match(/\d+|\D+/g) ?? []];
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    const [x = "", y = ""] = [left[at], right[at]];
    const difference = /^\d/.test(x) && /^\d/.test(y) ? Number(x) - Number(y) : x < y ? -1 : x > y ? 1 : 0;
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** What a directory's size is told as: that of one block, as most file systems have it. */
const DIRECTORY = 4096;

/** Kibibytes in blocks of four, as a disk would use them. */
function blocks(entries: readonly Entry[]): number {
  return entries.reduce((sum, { stat }) => sum + blocksOf(stat), 0);
}

function blocksOf(stat: FsStat): number {
  if (stat.isSymbolicLink) return 0;
  return stat.isDirectory ? 4 : Math.ceil(stat.size / 4096) * 4;
}

function table(entries: readonly Entry[], options: Parsed): string {
  const sizes = entries
    .map(({ stat }) => (stat.isDirectory ? DIRECTORY : stat.size))
    .map((size) => (options.has("h") ? human(size) : String(size)));
  const width = Math.max(0, ...sizes.map((size) => size.length));
  const blockWidth = Math.max(0, ...entries.map(({ stat }) => String(blocksOf(stat)).length));
  return entries
    .map((entry, at) => {
      const mark = marks(entry, options);
      const block = options.has("s")
        ? `${(options.has("h") ? human(blocksOf(entry.stat) * 1024) : String(blocksOf(entry.stat))).padStart(blockWidth)} `
        : "";
      if (!long(options)) return `${block}${entry.name}${mark}\n`;
      const numeric = options.has("n");
      const owner = options.has("g") ? "" : numeric ? " 0" : " root";
      const group = options.has("o") || options.has("G") ? "" : numeric ? " 0" : " root";
      const target = entry.target === undefined ? mark : ` -> ${entry.target}`;
      return `${block}${permissions(entry.stat)} ${entry.stat.isDirectory ? 2 : 1}${owner}${group} ${sizes[at]?.padStart(width)} ${time(entry.stat.mtime)} ${entry.name}${target}\n`;
    })
    .join("");
}

function marks({ stat }: Entry, options: Parsed): string {
  if (stat.isDirectory && (options.has("F") || options.has("p") || options.has("file-type"))) return "/";
  if (stat.isSymbolicLink && (options.has("F") || options.has("file-type"))) return long(options) ? "" : "@";
  return options.has("F") && stat.isFile && (stat.mode & 0o111) !== 0 ? "*" : "";
}

function permissions(stat: FsStat): string {
  const type = stat.isDirectory ? "d" : stat.isSymbolicLink ? "l" : "-";
  const mode = stat.isSymbolicLink ? 0o777 : stat.mode;
  const letters = [..."rwxrwxrwx"].map((letter, at) => ((mode >> (8 - at)) & 1 ? letter : "-"));
  const special = (bit: number, at: number, on: string, off: string): void => {
    if ((mode & bit) !== 0) letters[at] = letters[at] === "-" ? off : on;
  };
  special(0o4000, 2, "s", "S");
  special(0o2000, 5, "s", "S");
  special(0o1000, 8, "t", "T");
  return type + letters.join("");
}

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
const HALF_YEAR = 15_778_476_000;

function time(mtime: Date): string {
  const day = `${MONTHS[mtime.getUTCMonth()]} ${String(mtime.getUTCDate()).padStart(2)}`;
  const recent = Date.now() - mtime.getTime() < HALF_YEAR && mtime.getTime() <= Date.now() + 1000;
  return recent ? `${day} ${mtime.toISOString().slice(11, 16)}` : `${day}  ${mtime.getUTCFullYear()}`;
}

function human(bytes: number): string {
  if (bytes < 1024) return String(bytes);
  let value = bytes;
  let unit = -1;
  while (value >= 1024) {
    value /= 1024;
    unit++;
  }
  return `${value < 10 ? (Math.ceil(value * 10) / 10).toFixed(1) : Math.ceil(value)}${"KMGTPE"[unit]}`;
}

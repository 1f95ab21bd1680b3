/** Small tools that just-bash lacks or has otherwise: `cmp`, `yes`, `realpath`, `mktemp`, `truncate`, `dirname`, `od`, `xxd`. */

import type { CustomCommand } from "just-bash";
import type { Engine } from "../engine/hooks.ts";
import { reason } from "../engine/reason.ts";
import { command, Failure, type Outcome, type Shell } from "./command.ts";
import { countOf, parseOptions } from "./options.ts";

export const smallTools: readonly CustomCommand[] = [
  command("cmp", cmp),
  command("realpath", realpath),
  command("mktemp", mktemp),
  command("truncate", truncate),
  command("dirname", dirname),
];

async function cmp(shell: Shell): Promise<Outcome> {
  const options = parseOptions(shell.args, ["s,quiet,silent", "n,bytes=", "b,print-bytes", "l,verbose"], { code: 2 });
  if (options.has("b") || options.has("l")) throw new Failure("-b and -l are not supported in this shell", 2);
  const [one = "", two = "-"] = options.operands;
  if (options.operands.length === 0) throw new Failure("missing operand after 'cmp'", 2);
  const read = async (path: string): Promise<Uint8Array> => {
    try {
      return await shell.read(path);
    } catch (error) {
      if (error instanceof Failure) throw new Failure(options.has("s") ? "" : error.message, 2);
      throw error;
    }
  };
  const limit = options.has("n") ? countOf(options.value("n") ?? "", "--bytes value", 2) : undefined;
  const [a, b] = [(await read(one)).subarray(0, limit), (await read(two)).subarray(0, limit)];
  const end = Math.min(a.length, b.length);
  let at = 0;
  let line = 1;
  while (at < end && a[at] === b[at]) if (a[at++] === 10) line++;
  if (at === end && a.length === b.length) return {};
  if (options.has("s")) return { code: 1 };
  if (at < end) return { stdout: `${one} ${two} differ: byte ${at + 1}, line ${line}\n`, code: 1 };
  const shorter = a.length < b.length ? one : two;
  const where =
    at === 0
      ? `cmp: EOF on ${shorter} which is empty\n`
      : `cmp: EOF on ${shorter} after byte ${at}, ${a[at - 1] === 10 || b[at - 1] === 10 ? `line ${line - 1}` : `in line ${line}`}\n`;
  return { stderr: where, code: 1 };
}

async function realpath(shell: Shell): Promise<Outcome> {
  const options = parseOptions(shell.args, [
    "e,canonicalize-existing",
    "m,canonicalize-missing",
    "s,strip,no-symlinks",
    "q,quiet",
    "z,zero",
    "L",
    "P",
    "relative-to=",
    "relative-base=",
  ]);
  if (options.has("relative-to") || options.has("relative-base"))
    throw new Failure("relative paths are not supported in this shell");
  if (options.operands.length === 0) throw new Failure("missing operand");
  let stdout = "";
  let stderr = "";
  for (const path of options.operands) {
    const at = shell.path(path);
    try {
      stdout += `${options.has("s") ? at : await resolved(shell, at, options.has("m"), options.has("e"))}${options.has("z") ? "\0" : "\n"}`;
    } catch (error) {
      if (!options.has("q")) stderr += `realpath: ${path}: ${reason(error)}\n`;
    }
  }
  return { stdout, stderr, code: stderr === "" ? 0 : 1 };
}

async function resolved(shell: Shell, path: string, missing: boolean, existing: boolean): Promise<string> {
  try {
    return await shell.fs.realpath(path);
  } catch (error) {
    if (existing) throw error;
    const slash = path.lastIndexOf("/");
    const parent = path.slice(0, slash) || "/";
    if (path === "/") throw error;
    const above = missing ? await resolved(shell, parent, true, false) : await shell.fs.realpath(parent);
    return `${above === "/" ? "" : above}${path.slice(slash)}`;
  }
}

async function mktemp(shell: Shell): Promise<Outcome> {
  const options = parseOptions(shell.args, ["d,directory", "u,dry-run", "q,quiet", "p,tmpdir?", "t", "suffix="]);
  const template = options.operands[0] ?? "tmp.XXXXXXXXXX";
  const folder =
    options.has("p") || options.has("t") || options.operands.length === 0
      ? options.value("p") || shell.context.env.get("TMPDIR") || "/tmp"
      : "";
  const marks = /X{3,}(?=[^X]*$)/.exec(template)?.[0];
  if (marks === undefined) throw new Failure(`too few X's in template ‘${template}’`);
  const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  const random = [...crypto.getRandomValues(new Uint8Array(marks.length))]
    .map((byte) => letters[byte % letters.length])
    .join("");
  const name = template.replace(/X{3,}(?=[^X]*$)/, random) + (options.value("suffix") ?? "");
  const path = folder === "" ? name : `${folder}/${name}`;
  if (options.has("u")) return { stdout: `${path}\n` };
  try {
    if (folder === "/tmp") await shell.fs.mkdir("/tmp", { recursive: true });
    if (options.has("d")) await shell.fs.mkdir(shell.path(path));
    else await shell.fs.writeFile(shell.path(path), "");
    await shell.fs.chmod(shell.path(path), options.has("d") ? 0o700 : 0o600);
  } catch (error) {
    throw new Failure(
      `failed to create ${options.has("d") ? "directory" : "file"} via template ‘${template}’: ${reason(error)}`,
    );
  }
  return { stdout: `${path}\n` };
}

async function truncate(shell: Shell): Promise<Outcome> {
  const options = parseOptions(shell.args, ["c,no-create", "s,size=", "r,reference=", "o,io-blocks"]);
  if (options.has("r") || options.has("o")) throw new Failure("-r and -o are not supported in this shell");
  const size = options.value("s");
  if (size === undefined) throw new Failure("you must specify either '--size' or '--reference'");
  if (options.operands.length === 0) throw new Failure("missing file operand");
  const sign = /^[-+<>/%]/.exec(size)?.[0] ?? "";
  if (!["", "+", "-"].includes(sign))
    throw new Failure(`a size that begins with ${sign} is not supported in this shell`);
  const number = countOf(size.slice(sign.length), "number");
  for (const path of options.operands) {
    const at = shell.path(path);
    const there = await shell.fs.exists(at);
    if (!there && options.has("c")) continue;
    const old = there ? await shell.read(path) : new Uint8Array();
    const length = sign === "+" ? old.length + number : sign === "-" ? Math.max(0, old.length - number) : number;
    if (length > 64 * 1024 * 1024) throw new Failure(`failed to truncate '${path}' at ${length} bytes: File too large`);
    const bytes = new Uint8Array(length);
    bytes.set(old.subarray(0, length));
    await shell.fs.writeFile(at, bytes);
  }
  return {};
}

function dirname(shell: Shell): Outcome {
  const options = parseOptions(shell.args, ["z,zero"]);
  if (options.operands.length === 0) throw new Failure("missing operand");
  const above = (path: string): string => {
    const bare = path.replace(/\/+$/, "");
    if (bare === "") return path.startsWith("/") ? "/" : ".";
    const slash = bare.lastIndexOf("/");
    return slash < 0 ? "." : bare.slice(0, slash).replace(/\/+$/, "") || "/";
  };
  return { stdout: options.operands.map((path) => `${above(path)}${options.has("z") ? "\0" : "\n"}`).join("") };
}

/** What a command that never ends may say at most; a reader that wants a part of it has it long before. */
const ENDLESS = 4 * 1024 * 1024;
const BROKEN_PIPE = 141;

/** `yes`. There are no pipes whose reader could go away: `head` gets what it can want, all else is told that this is not all. */
export function yes(engine: Engine): CustomCommand {
  return command("yes", ({ args }) => {
    const line = `${args.length === 0 ? "y" : args.join(" ")}\n`;
    const stdout = line.repeat(Math.max(1, Math.floor(ENDLESS / line.length)));
    const [reader, ...words] = engine.reader ?? [];
    const few =
      words.every((word) => /^-/.test(word) || /^\d{1,5}$/.test(word)) &&
      !words.some((word) => /^-[nc]?-|\d{6}/.test(word));
    if (reader === "head" && few) return { stdout, code: BROKEN_PIPE };
    return { stdout, stderr: `yes: ended after ${ENDLESS} bytes: this shell has no endless output\n`, code: 126 };
  });
}

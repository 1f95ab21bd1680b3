/** `head` and `tail` as GNU has them. */

import type { CustomCommand } from "just-bash";
import { bytesOf } from "../engine/byte-string.ts";
import { command, Failure, type Outcome, type Shell } from "./command.ts";
import { countOf, parseOptions } from "./options.ts";

export const headTail: readonly CustomCommand[] = [
  command("head", (shell) => ends(shell, head)),
  command("tail", (shell) => ends(shell, tail)),
];

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

/** `rm` as GNU has it where nobody can be asked: what cannot be removed is always told, with `-f` too. */

import type { CustomCommand } from "just-bash";
import { reason } from "../engine/reason.ts";
import { command, Failure, type Outcome, type Shell } from "./command.ts";
import { type Parsed, parseOptions } from "./options.ts";

const OPTIONS = [
  "f,force",
  "r,R,recursive",
  "d,dir",
  "v,verbose",
  "i",
  "I",
  "interactive?",
  "one-file-system",
  "preserve-root?",
  "no-preserve-root",
];

export const rm: CustomCommand = command("rm", async (shell): Promise<Outcome> => {
  const options = parseOptions(shell.args, OPTIONS);
  for (const asking of ["i", "I", "interactive"]) {
    if (options.has(asking) && options.value(asking) !== "never") {
      throw new Failure("to be asked before a removal is not supported in this shell");
    }
  }
  if (options.operands.length === 0 && !options.has("f")) {
    throw new Failure("missing operand\nTry 'rm --help' for more information.");
  }
  const removed: string[] = [];
  const wrong: string[] = [];
  for (const operand of options.operands) {
    try {
      await remove(shell, operand, options, removed);
    } catch (error) {
      const told = error instanceof Failure ? error.message : `cannot remove '${operand}': ${reason(error)}`;
      if (!(options.has("f") && isMissing(error))) wrong.push(`rm: ${told}\n`);
    }
  }
  const stdout = options.has("v") ? removed.map((line) => `${line}\n`).join("") : "";
  return { stdout, stderr: wrong.join(""), code: wrong.length === 0 ? 0 : 1 };
});

async function remove(shell: Shell, operand: string, options: Parsed, removed: string[]): Promise<void> {
  const recursive = options.has("r");
  const last = operand.replace(/\/+$/, "").split("/").at(-1);
  if (recursive && /^\/+$/.test(operand) && !options.has("no-preserve-root")) {
    throw new Failure(
      "it is dangerous to operate recursively on '/'\nrm: use --no-preserve-root to override this failsafe",
    );
  }
  if (recursive && (last === "." || last === "..")) {
    throw new Failure(`refusing to remove '.' or '..' directory: skipping '${operand}'`);
  }
  const path = shell.path(operand);
  if (recursive && !options.has("v") && !operand.endsWith("/")) return shell.fs.rm(path, { recursive: true });
  const { isDirectory } = await shell.fs.lstat(path);
  if (operand.endsWith("/") && !isDirectory) {
    if (options.has("f")) return;
    throw new Failure(`cannot remove '${operand}': Not a directory`);
  }
  if (isDirectory && !recursive && !options.has("d")) throw new Failure(`cannot remove '${operand}': Is a directory`);
  if (isDirectory && recursive && options.has("v")) await tellBelow(shell, path, operand.replace(/\/+$/, ""), removed);
  await shell.fs.rm(path, { recursive });
  removed.push(`removed ${isDirectory ? "directory " : ""}'${operand}'`);
}

/** What goes with a directory, in the order in which GNU's `rm` takes it away. */
async function tellBelow(shell: Shell, path: string, shown: string, removed: string[]): Promise<void> {
  for (const name of await shell.fs.readdir(path)) {
    const { isDirectory } = await shell.fs.lstat(`${path}/${name}`);
    if (isDirectory) await tellBelow(shell, `${path}/${name}`, `${shown}/${name}`, removed);
    removed.push(`removed ${isDirectory ? "directory " : ""}'${shown}/${name}'`);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && /\b(ENOENT|ENOTDIR)\b/.test(error.message);
}

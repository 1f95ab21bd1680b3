/** What the machine must have for sandboxes. */

import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { SandboxError } from "./sandbox-error.ts";

/** The program that enters sandboxes, and its first arguments. */
export const ENTER: readonly string[] = [join(import.meta.dirname, "enter.pl"), process.arch];

/** What a process that stands for a running command is called, as far as Linux keeps names: 15 bytes. */
export const COMMAND_NAME: string = "computerd: a command".slice(0, 15);

// What PATH puts before the system's own may be meant for commands only.
const SYSTEM_FIRST = ["/usr/bin", "/bin", process.env.PATH ?? ""].join(delimiter);

export interface SandboxPrograms {
  readonly bwrap: string;
  readonly perl: string;
}

/**
 * Finds the programs that a sandbox needs.
 * @throws SandboxError naming all that is missing and how to install it.
 */
export function findPrograms(path: string = SYSTEM_FIRST): SandboxPrograms {
  if (process.platform !== "linux") throw new SandboxError(`a sandbox needs Linux; this is ${process.platform}`);
  if (process.getuid?.() !== 0) throw new SandboxError("a sandbox is made by root: start computerd as root");
  const programs = { bwrap: find("bwrap", path), perl: find("perl", path) };
  const missing = Object.entries(programs).flatMap(([name, found]) => (found === undefined ? [name] : []));
  if (programs.bwrap === undefined || programs.perl === undefined) {
    throw new SandboxError(
      `a sandbox needs ${missing.join(" and ")}, not found in PATH: apt-get install bubblewrap perl-base`,
    );
  }
  return { bwrap: programs.bwrap, perl: programs.perl };
}

function find(name: string, path: string): string | undefined {
  const folders = path.split(delimiter).filter((folder) => folder.startsWith("/"));
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

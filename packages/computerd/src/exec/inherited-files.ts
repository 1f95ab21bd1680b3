/** Files that a child would inherit without being given them. */

import { openSync, readdirSync, readFileSync } from "node:fs";

const O_CLOEXEC = 0o2000000;

/**
 * `stdio` for `spawn` with something harmless in place of every open file that would go along to the child.
 *
 * Node opens its own files so that they do not, but libfuse's connection to the kernel is not Node's: a child that has it could answer
 * for the mount, and would keep the mount alive after the daemon's death.
 */
export function withoutInherited(stdio: readonly number[]): (number | "ignore")[] {
  const all: (number | "ignore")[] = [...stdio];
  for (const fd of inheritable()) {
    if (fd < stdio.length) continue;
    while (all.length < fd) all.push("ignore");
    all[fd] = nothing();
  }
  return all;
}

function inheritable(): number[] {
  let names: string[];
  try {
    names = readdirSync("/proc/self/fdinfo");
  } catch {
    // Not Linux: what there is to inherit cannot be told.
    return [];
  }
  return names.map(Number).filter((fd) => {
    try {
      const flags = /^flags:\s+([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "utf8"))?.[1];
      return flags !== undefined && (Number.parseInt(flags, 8) & O_CLOEXEC) === 0;
    } catch {
      return false;
    }
  });
}

let opened: number | undefined;

function nothing(): number {
  opened ??= openSync("/dev/null", "r+");
  return opened;
}

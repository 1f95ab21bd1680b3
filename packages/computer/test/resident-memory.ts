/** The resident memory of a process and all below it, as Linux tells it. */

import { readdirSync, readFileSync } from "node:fs";

const PAGE = 4096;
const MIB = 1024 * 1024;

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly name: string;
  readonly mib: number;
}

/** Of the descendants of `pid`, itself included, those of this name, in MiB together. */
export function residentMib(pid: number, name: RegExp): number {
  const all = readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((entry) => readProcess(Number(entry)));
  const ours = new Set([pid]);
  // A parent may come after its child in the list.
  for (let before = 0; before !== ours.size; ) {
    before = ours.size;
    for (const one of all) if (ours.has(one.parent)) ours.add(one.pid);
  }
  return all.filter((one) => ours.has(one.pid) && name.test(one.name)).reduce((sum, { mib }) => sum + mib, 0);
}

function readProcess(pid: number): Process[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const end = stat.lastIndexOf(")");
    const parent = Number(stat.slice(end + 2).split(" ")[1]);
    const pages = Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]);
    return [{ pid, parent, name: stat.slice(stat.indexOf("(") + 1, end), mib: (pages * PAGE) / MIB }];
  } catch {
    // It has ended meanwhile.
    return [];
  }
}

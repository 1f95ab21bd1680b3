/** What Linux tells about processes and mounts, read from `/proc`. */

import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Ids of the direct children of a process; none where it has ended. */
export function childrenOf(pid: number): number[] {
  const children: number[] = [];
  for (const task of list(`/proc/${pid}/task`)) {
    children.push(...(read(`/proc/${pid}/task/${task}/children`)?.split(" ").filter(Boolean).map(Number) ?? []));
  }
  return children;
}

/** The name of a process, as `ps` shows it. */
export function nameOf(pid: number): string | undefined {
  return read(`/proc/${pid}/comm`)?.trimEnd();
}

/** When a process was started, in the machine's ticks: with its id, this names one process and no later one. */
export function startOf(pid: number): string | undefined {
  const stat = read(`/proc/${pid}/stat`);
  // The second field is the name in parentheses, and may hold anything; the 22nd is the start.
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
}

/** Which network a process is in; equal for processes that share one. */
export function networkOf(pid: number | "self"): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`);
  } catch {
    return undefined;
  }
}

/** Mount points at or under a directory, the innermost first. */
export function mountsUnder(directory: string): string[] {
  const points = (read("/proc/self/mounts") ?? "").split("\n").flatMap((line) => {
    const point = line
      .split(" ")[1]
      ?.replace(/\\([0-7]{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)));
    return point === directory || point?.startsWith(`${directory}/`) ? [point] : [];
  });
  return points.reverse();
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function list(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

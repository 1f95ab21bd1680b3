/** Signals to whole process groups. */

import { existsSync } from "node:fs";

/**
 * Sends a signal to the group that `leader` leads or led; false where it has no members.
 *
 * A number stays taken while a group has members. So where the leader was already reaped (`gone`) and a process has its number
 * again, the group was empty: that process is another's and is left alone.
 */
export function signalGroup(leader: number, signal: NodeJS.Signals | 0, gone: boolean): boolean {
  if (gone && existsSync(`/proc/${leader}`)) return false;
  try {
    process.kill(-leader, signal);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return false;
    throw error;
  }
}

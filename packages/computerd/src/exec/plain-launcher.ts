/** Starts commands as plain children of this process, with no walls around them. */

import { type ChildProcess, spawn } from "node:child_process";
import { closeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { ChildStreams } from "./child-streams.ts";
import { withoutInherited } from "./inherited-files.ts";
import type { Launcher, LaunchSpec } from "./launcher.ts";
import { signalGroup } from "./process-group.ts";

// A shell that changes directory and then becomes the command's. Handing spawn a cwd that lies on the mount would deadlock: this
// process would wait in chdir for an answer that only this process can give.
const START = `cd -- "$1" 2>/dev/null || { echo "computerd: cannot start in '$1': no such directory" >&2; exit 126; }
unset OLDPWD
exec /bin/sh -c -- "$2"`;

/** A {@link Launcher} without a sandbox, for a machine that is a sandbox itself, such as a container. */
export class PlainLauncher implements Launcher {
  readonly #streams = new ChildStreams();
  /** By process id, the leaders of the groups that may still have members. */
  readonly #leaders = new Map<number, ChildProcess>();

  launch({ source, cwd, env, stdin }: LaunchSpec): ChildProcess {
    this.#forgetEmptyGroups();
    const [stdout, stderr] = [this.#streams.output(), this.#streams.output()];
    const theirs = [this.#streams.input(stdin), stdout.theirs, stderr.theirs];
    try {
      const child = spawn("/bin/sh", ["-c", START, "sh", cwd, source], {
        cwd: "/",
        env: { ...env },
        detached: true,
        stdio: withoutInherited(theirs),
      });
      if (child.pid !== undefined) this.#leaders.set(child.pid, child);
      return Object.assign(child, { stdout: stdout.ours, stderr: stderr.ours });
    } catch (error) {
      for (const { ours } of [stdout, stderr]) ours.destroy();
      throw error;
    } finally {
      for (const fd of theirs) closeSync(fd);
    }
  }

  async close(): Promise<void> {
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      for (const [pid, child] of this.#leaders) signalGroup(pid, signal, isGone(child));
      for (let waited = 0; waited < 1000 && this.#leaders.size > 0; waited += 20) {
        await sleep(20);
        this.#forgetEmptyGroups();
      }
    }
    this.#streams.close();
  }

  #forgetEmptyGroups(): void {
    for (const [pid, child] of this.#leaders) {
      if (isGone(child) && !signalGroup(pid, 0, true)) this.#leaders.delete(pid);
    }
  }
}

function isGone(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

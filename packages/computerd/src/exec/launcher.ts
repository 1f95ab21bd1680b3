/** What starts a command's process: plainly on this machine, or inside a sandbox. */

import type { ChildProcess } from "node:child_process";

export interface LaunchSpec {
  /** Run by `/bin/sh -c`. */
  readonly source: string;
  /** A directory as the command sees it. */
  readonly cwd: string;
  /** The whole environment of the command; nothing is added. */
  readonly env: Readonly<Record<string, string>>;
  /** What the command reads as its standard input, to its end. A launcher that does not see to it gives the child a `stdin` to write it to. */
  readonly stdin?: Uint8Array | undefined;
}

/**
 * Starts processes. The child leads a new process group and session, has streams for its output, and its `pid` is one that
 * `kill(-pid, signal)` of this process reaches with all its descendants that stayed in the group.
 */
export interface Launcher {
  launch(spec: LaunchSpec): ChildProcess;
  /** Ends everything that was launched and is still there, background children too. */
  close(): Promise<void>;
}

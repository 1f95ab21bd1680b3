/** Runs commands through a launcher and collects what they say. */

import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import type { Launcher, LaunchSpec } from "../src/exec/launcher.ts";

export interface Outcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export const ENV: Readonly<Record<string, string>> = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  HOME: "/home/computer",
};

export async function run(launcher: Launcher, source: string, spec: Partial<LaunchSpec> = {}): Promise<Outcome> {
  return await collect(launcher.launch({ source, cwd: "/workspace", env: ENV, ...spec }));
}

export async function collect(child: ChildProcess, stdin = ""): Promise<Outcome> {
  // A command may end without reading its input.
  child.stdin!.on("error", () => {}).end(stdin);
  const closed = once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>;
  const [stdout, stderr, [code, signal]] = await Promise.all([text(child.stdout!), text(child.stderr!), closed]);
  return { code, signal, stdout, stderr };
}

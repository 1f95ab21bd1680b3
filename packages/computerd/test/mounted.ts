/** Uses a mount from outside: the process that serves it would wait for itself in a synchronous call. */

import { execFile, spawn } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Runs a shell script in a directory and gives its stdout; rejects with its stderr where it fails. */
export async function sh(directory: string, source: string): Promise<string> {
  const args = ["-euc", `cd -- "$1"; shift; ${source}`, "sh", directory];
  const { stdout } = await run("/bin/sh", args, { cwd: "/", maxBuffer: 64 << 20 });
  return stdout;
}

/** Runs JavaScript in a process of its own, with `fs`, `path` and `assert`, and gives what it returns through JSON. */
export async function js<T>(directory: string, body: string): Promise<T> {
  const source = `
    import assert from "node:assert/strict";
    import fs from "node:fs";
    import path from "node:path";
    process.chdir(process.argv[1]);
    const result = await (async () => {${body}})();
    process.stdout.write(JSON.stringify(result ?? null));`;
  const args = ["--no-warnings", "--input-type=module", "-e", source, directory];
  const { stdout } = await run(process.execPath, args, { cwd: "/", maxBuffer: 64 << 20 });
  return JSON.parse(stdout);
}

/** A program that goes on running in a directory, and what it says line by line. */
export interface Running extends AsyncDisposable {
  say(line: string): void;
  /** The next line of its stdout. */
  line(): Promise<string>;
}

/** Starts a shell script in a directory. */
export function start(directory: string, source: string): Running {
  const child = spawn("/bin/sh", ["-euc", `cd -- "$1"; ${source}`, "sh", directory], {
    cwd: "/",
    stdio: ["pipe", "pipe", "inherit"],
    detached: true,
  });
  const lines: string[] = [];
  const waiting: ((line: string) => void)[] = [];
  let rest = "";
  child.stdout.on("data", (bytes: Buffer) => {
    const parts = (rest + bytes).split("\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const next = waiting.shift();
      if (next === undefined) lines.push(part);
      else next(part);
    }
  });
  const closed = new Promise((resolve) => child.once("close", resolve));
  return {
    say: (line) => void child.stdin.write(`${line}\n`),
    line: () => {
      const line = lines.shift();
      return line === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(line);
    },
    async [Symbol.asyncDispose]() {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
      await closed;
    },
  };
}

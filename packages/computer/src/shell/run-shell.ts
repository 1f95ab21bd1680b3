/** One script in the interpreter, with its output sent off as it comes. */

import { Bash, type BashOptions, type CustomCommand, type IFileSystem, type SecureFetch } from "just-bash";
import { shellCommands } from "./commands/index.ts";
import { byteString, bytesOf } from "./engine/byte-string.ts";
import type { Engine } from "./engine/hooks.ts";
import { RemoteFiles } from "./files/remote-files.ts";
import { ShellFileSystem } from "./files/shell-file-system.ts";
import { type CommandHost, hostCommands } from "./host/host-commands.ts";

export interface ShellRun {
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: Uint8Array | undefined;
  readonly signal: AbortSignal;
  /** The workspace's files: with all that is remembered of them, or one call for each thing asked. */
  readonly files: IFileSystem;
  readonly commands: readonly CustomCommand[];
  /** Whom commands of the workspace ask. */
  readonly host: CommandHost | undefined;
  readonly fetch: SecureFetch | null;
  write(stream: "stdout" | "stderr", bytes: Uint8Array): void;
}

/** What a script may use before it is ended with exit code 126 and a line that says which limit it was. */
const LIMITS: NonNullable<BashOptions["executionLimits"]> = {
  maxCommandCount: 1_000_000,
  maxLoopIterations: 200_000,
  maxOutputSize: 64 * 1024 * 1024,
  maxStringLength: 64 * 1024 * 1024,
  maxExecutionTimeMs: 60 * 60 * 1000,
};

const IDS = { pid: 1000, ppid: 1, uid: 0, gid: 0 };

/** Runs a script to its end; its exit code. */
export async function runShell(run: ShellRun): Promise<number> {
  const { files, signal } = run;
  const remote = files instanceof RemoteFiles ? files : undefined;
  const engine: Engine = { write: run.write, waited: () => remote?.forget() };
  const bash = new Bash({
    fs: new ShellFileSystem(files),
    cwd: run.cwd,
    env: {
      HOME: "/workspace",
      USER: "root",
      SHELL: "/bin/bash",
      TERM: "dumb",
      LANG: "C.UTF-8",
      PWD: run.cwd,
      ...run.env,
    },
    executionLimits: LIMITS,
    // The isolate is the sandbox; patching its globals would only slow it down.
    defenseInDepth: false,
    processInfo: IDS,
    customCommands: [
      ...shellCommands(remote, engine),
      ...(run.host === undefined ? [] : hostCommands(run.host, engine.waited)),
      ...run.commands,
    ],
    sleep: async (ms) => {
      await sleep(ms, signal);
      engine.waited();
    },
    ...(run.fetch === null ? {} : { fetch: waiting(run.fetch, engine) }),
  });
  // Read by the patched interpreter, see `scripts/shell-bundle/patches.ts`.
  Object.assign(bash, { engine });
  const { stdout, stderr, exitCode } = await bash.exec(run.command, {
    signal,
    rawScript: true,
    ...(run.stdin === undefined ? {} : { stdin: byteString(run.stdin), stdinKind: "bytes" }),
  });
  if (stdout !== "") run.write("stdout", bytesOf(stdout));
  if (stderr !== "") run.write("stderr", bytesOf(stderr));
  return exitCode;
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** While a script waits for the network, others may change its files. */
function waiting(fetch: SecureFetch, engine: Engine): SecureFetch {
  return async (url, options) => {
    try {
      return await fetch(url, options);
    } finally {
      engine.waited();
    }
  };
}

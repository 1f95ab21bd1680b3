/** Starts commands inside one long-lived sandbox, which all commands of a computer share. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, statSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { Writable } from "node:stream";
import type { Launcher, LaunchSpec } from "../exec/launcher.ts";
import { planFileSystem } from "./file-system.ts";
import { ENTER, findPrograms } from "./machine.ts";
import { SandboxError } from "./sandbox-error.ts";

export interface BubblewrapOptions {
  /** The directory on this machine that commands see at `/workspace`; mounted before the sandbox is made. */
  readonly mountPoint: string;
  /** Absolute directories that commands see read-only at the same path. PATH is the caller's to set. None by default. */
  readonly tools?: readonly string[];
  /** `true` gives commands the machine's own network; by default they have a loopback device of their own and nothing else. */
  readonly enableInternet?: boolean;
  /** Without a network: a port of their loopback device at which commands reach a Unix socket of this machine, and nothing else. */
  readonly wayOut?: { readonly port: number; readonly socketPath: string };
}

// The order in which they are entered: the user namespace last, since entering it gives up the right to enter the others.
const NAMESPACES = ["mnt", "pid", "ipc", "uts", "net", "cgroup", "user"];
const STATUS_FD = 3;
const ARGUMENTS_FD = 4;
const CONTENTS_FD = 5;
const REQUEST_FD = 3;

/**
 * Makes a sandbox, and a {@link Launcher} of commands in it. Resolves when commands can be started.
 * @throws SandboxError where the machine lacks something for it.
 */
export async function createBubblewrapLauncher(options: BubblewrapOptions): Promise<Launcher> {
  const { bwrap, perl } = findPrograms();
  const { mountPoint, tools = [], enableInternet = false } = options;
  for (const directory of [mountPoint, ...tools]) {
    if (!isAbsolute(directory)) throw new SandboxError(`'${directory}' is not an absolute path`);
  }
  for (const directory of tools) {
    if (!isDirectory(directory)) throw new SandboxError(`the tools directory '${directory}' does not exist`);
  }
  const plan = planFileSystem({ mountPoint, tools, network: enableInternet }, CONTENTS_FD);
  const args = [
    ...["--unshare-user", "--uid", "0", "--gid", "0", "--unshare-pid", "--unshare-ipc", "--unshare-uts"],
    ...(enableInternet ? [] : ["--unshare-net"]),
    ...["--unshare-cgroup", "--hostname", "computer", "--new-session", "--die-with-parent", "--as-pid-1"],
    // For the preparation only, which gives them all up; they count inside the sandbox's user namespace and nowhere else.
    ...["--cap-add", "ALL", "--json-status-fd", String(STATUS_FD), ...plan.args, "--chdir", "/"],
  ];
  // Through env, since bubblewrap itself adds a variable.
  const first = ["/usr/bin/env", "-i", perl, "-", process.arch, "prepare"];
  const program = openSync(ENTER[0]!, "r");
  // An empty environment, since the first process's stays readable in /proc/1/environ.
  const sandbox = spawn(bwrap, ["--args", String(ARGUMENTS_FD), "--", ...first], {
    cwd: "/",
    env: {},
    detached: true,
    stdio: [program, "pipe", "pipe", "pipe", "pipe", ...plan.contents.map(() => "pipe" as const)],
  });
  closeSync(program);
  const inputs = [args.map((arg) => `${arg}\0`).join(""), ...plan.contents];
  for (const [index, content] of inputs.entries()) {
    const pipe = sandbox.stdio[ARGUMENTS_FD + index] as Writable;
    pipe.on("error", () => {}).end(content);
  }
  const pid = await firstProcess(sandbox);
  const namespaces: number[] = [];
  try {
    // Held open, so that a command can never enter those of another process that got the same id.
    for (const name of NAMESPACES) namespaces.push(openSync(`/proc/${pid}/ns/${name}`, "r"));
  } catch (cause) {
    for (const fd of namespaces) closeSync(fd);
    sandbox.kill("SIGKILL");
    throw new SandboxError("the sandbox ended as it was made", { cause });
  }
  const launcher = new BubblewrapLauncher(perl, sandbox, namespaces);
  if (options.wayOut !== undefined) await launcher.open(options.wayOut);
  return launcher;
}

class BubblewrapLauncher implements Launcher {
  readonly #perl: string;
  readonly #sandbox: ChildProcess;
  readonly #namespaces: readonly number[];
  readonly #processes = new Set<ChildProcess>();
  /** Started ahead of its command, which need not wait for it then. */
  #ready: ChildProcess | undefined;
  #wayOut: ChildProcess | undefined;
  #closed: Promise<void> | undefined;

  constructor(perl: string, sandbox: ChildProcess, namespaces: readonly number[]) {
    this.#perl = perl;
    this.#sandbox = sandbox;
    this.#namespaces = namespaces;
    this.#ready = this.#enter();
  }

  launch({ source, cwd, env }: LaunchSpec): ChildProcess {
    if (this.#closed) throw new SandboxError("the sandbox has been closed");
    const ready = this.#ready && isRunning(this.#ready) ? this.#ready : undefined;
    const child = ready ?? this.#enter();
    const request = [cwd, source, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)];
    const pipe = child.stdio[REQUEST_FD] as Writable;
    pipe.end(request.map((part) => `${part}\0`).join(""));
    this.#ready = undefined;
    setImmediate(() => {
      if (!this.#closed) this.#ready ??= this.#enter();
    });
    // Its process was there before; its command starts now.
    if (ready) process.nextTick(() => ready.emit("spawn"));
    return child;
  }

  // The command's environment travels on a pipe: as variables it would act on the program that enters the sandbox, which still has
  // every capability, and as arguments every user of the machine could read it.
  #enter(): ChildProcess {
    const descriptors = this.#namespaces.map((_, index) => String(REQUEST_FD + 1 + index));
    const child = spawn(this.#perl, [...ENTER, "run", ...descriptors], {
      cwd: "/",
      env: {},
      detached: true,
      stdio: ["pipe", "pipe", "pipe", "pipe", ...this.#namespaces],
    });
    child.stdio[REQUEST_FD]?.on("error", () => {});
    this.#processes.add(child);
    child.once("exit", () => this.#processes.delete(child)).once("error", () => this.#processes.delete(child));
    return child;
  }

  /** Has a process listen inside for those who want out. */
  async open({ port, socketPath }: { readonly port: number; readonly socketPath: string }): Promise<void> {
    const network = this.#namespaces[NAMESPACES.indexOf("net")]!;
    const child = spawn(this.#perl, [...ENTER, "listen", "3", String(port), socketPath], {
      cwd: "/",
      env: {},
      stdio: ["ignore", "pipe", "pipe", network],
    });
    this.#processes.add(child);
    child.once("exit", () => this.#processes.delete(child));
    this.#wayOut = child;
    let said = "";
    await new Promise<void>((resolve, reject) => {
      child.stdout?.on("data", () => resolve());
      child.stderr?.on("data", (bytes: Buffer) => {
        said += bytes;
      });
      child.once("error", (cause) => reject(new SandboxError("perl could not be started", { cause })));
      child.once("close", () =>
        reject(new SandboxError(`the way out of the sandbox could not be made: ${said.trim()}`)),
      );
    });
  }

  close(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }

  async #end(): Promise<void> {
    const ended = [this.#sandbox, ...this.#processes].filter(isRunning).map((child) => once(child, "exit"));
    // The sandbox's first process takes every other one with it: the kernel ends a pid namespace whole.
    this.#sandbox.kill("SIGKILL");
    this.#ready?.kill("SIGKILL");
    this.#wayOut?.kill("SIGKILL");
    await Promise.all(ended);
    for (const fd of this.#namespaces) closeSync(fd);
  }
}

/** The id, on this machine, of the sandbox's first process, once that has said it is ready. */
async function firstProcess(sandbox: ChildProcess): Promise<number> {
  const texts = [1, 2, STATUS_FD].map((fd) => {
    const heard = { text: "" };
    sandbox.stdio[fd]?.on("data", (data: Buffer) => {
      heard.text += data;
      sandbox.emit("heard");
    });
    return heard;
  });
  const [ready, errors, status] = texts as [{ text: string }, { text: string }, { text: string }];
  const ended = new Promise<never>((_, reject) => {
    sandbox.once("error", (cause) => reject(new SandboxError("bubblewrap could not be started", { cause })));
    sandbox.once("close", (code, signal) => {
      const reason = errors.text.trim() || `it ended with ${signal ?? code}`;
      reject(new SandboxError(`the sandbox could not be made: ${reason}`));
    });
  });
  ended.catch(() => {});
  for (;;) {
    const pid = /"child-pid": (\d+)/.exec(status.text)?.[1];
    if (pid !== undefined && ready.text.includes("ready")) return Number(pid);
    await Promise.race([once(sandbox, "heard"), ended]);
  }
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null && child.pid !== undefined;
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

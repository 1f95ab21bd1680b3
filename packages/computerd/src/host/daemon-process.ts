/** The daemon of one computer: its process, and what it is given. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { HOME } from "../sandbox/file-system.ts";
import { COMMAND_NAME } from "../sandbox/machine.ts";
import { HostError } from "./host-error.ts";
import type { LaunchSpec } from "./launch-spec.ts";
import { childrenOf, nameOf } from "./process-table.ts";
import type { ComputerDirectory } from "./state-directory.ts";

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));
const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 5_000;
const KEPT_OUTPUT = 4096;

export interface DaemonOptions {
  readonly directory: ComputerDirectory;
  readonly spec: LaunchSpec;
  readonly runtimeId: string;
  readonly secret: string;
  readonly tools: readonly string[];
  /** Hears what the daemon says. */
  readonly log: (text: string) => void;
}

export class DaemonProcess {
  readonly pid: number;
  /** Resolves with why, once the process has ended. */
  readonly ended: Promise<string>;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, pid: number, ended: Promise<string>) {
    this.#child = child;
    this.pid = pid;
    this.ended = ended;
  }

  /**
   * Starts a daemon and resolves when it answers: then its files are mounted and it takes commands.
   * @throws HostError ELAUNCH with what it said, where it ends or does not answer within 60 s.
   */
  static async start(options: DaemonOptions, onSpawn: (pid: number) => Promise<void>): Promise<DaemonProcess> {
    // A file, since the environment that a process was started with stays readable.
    await writeFile(options.directory.secretFile, options.secret, { mode: 0o600 });
    // setpriv, so that a daemon hears of it (TERM) when its host is killed; nothing else tells it.
    const child = spawn("setpriv", ["--pdeathsig", "TERM", process.execPath, MAIN], {
      cwd: "/",
      env: daemonEnvironment(options),
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    const ended = new Promise<string>((resolve) => {
      child.once("error", (error) => resolve(`cannot start setpriv (${error.message}): apt-get install util-linux`));
      child.once("close", (code, signal) => resolve(signal ? `killed by ${signal}` : `ended with exit code ${code}`));
    });
    for (const output of [child.stdout, child.stderr]) {
      output.setEncoding("utf8").on("data", (text: string) => {
        said = (said + text).slice(-KEPT_OUTPUT);
        options.log(text);
      });
    }
    if (child.pid === undefined) throw new HostError("ELAUNCH", `the computer could not be started: ${await ended}`);
    const daemon = new DaemonProcess(child, child.pid, ended);
    await onSpawn(child.pid);
    const outcome = await Promise.race([ended, answers(options.directory.socket, ended)]);
    await rm(options.directory.secretFile, { force: true });
    if (outcome !== undefined) {
      await daemon.stop();
      throw new HostError("ELAUNCH", `the computer could not be started: its daemon ${outcome}\n${said}`.trim());
    }
    return daemon;
  }

  /** False from the moment its process has ended. */
  get alive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Whether a command runs now. Children that commands left in the background do not count. */
  get busy(): boolean {
    return childrenOf(this.pid).some((child) => nameOf(child) === COMMAND_NAME);
  }

  /** Tells the daemon to end, and makes it after 5 s. */
  async stop(): Promise<void> {
    this.#child.kill("SIGTERM");
    const insist = setTimeout(() => this.#child.kill("SIGKILL"), STOP_TIMEOUT_MS);
    await this.ended;
    clearTimeout(insist);
  }
}

function daemonEnvironment({ directory, spec, runtimeId, tools }: DaemonOptions): Record<string, string> {
  const variables = Object.entries(spec.env).filter(([name]) => isForCommands(name));
  return {
    ...Object.fromEntries(variables),
    PATH: [...tools.map((path) => `${path}/bin`), PATH].join(":"),
    HOME,
    LANG: "C.UTF-8",
    TMPDIR: directory.scratch,
    SOCKET_PATH: directory.socket,
    MOUNT_POINT: directory.mountPoint,
    // How files are mounted is the machine's matter, and so the host's own environment says it.
    FUSE_MOUNT: process.env.FUSE_MOUNT || "fuse",
    ...(process.env.FUSE_DRIVER !== undefined && { FUSE_DRIVER: process.env.FUSE_DRIVER }),
    RPC_CLIENT_SECRET_FILE: directory.secretFile,
    RUNTIME_ID: runtimeId,
    SANDBOX: "bubblewrap",
    SANDBOX_TOOLS: tools.join(":"),
    SANDBOX_NETWORK: spec.egress === undefined ? (spec.enableInternet ? "host" : "none") : "gateway",
  };
}

/** Whether a variable of a launch spec is one for commands. All others would be the daemon's, which is this host's to set up. */
export function isForCommands(name: string): boolean {
  return name.startsWith("COMPUTER_VAR_");
}

/** Resolves when the daemon's health route does; with the reason where it takes too long. */
async function answers(socketPath: string, ended: Promise<string>): Promise<string | undefined> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  let over = false;
  void ended.then(() => {
    over = true;
  });
  while (!over && Date.now() < deadline) {
    if (await isHealthy(socketPath)) return undefined;
    await sleep(20);
  }
  return `does not answer after ${START_TIMEOUT_MS / 1000} s`;
}

async function isHealthy(socketPath: string): Promise<boolean> {
  const call = request({ socketPath, path: "/health", timeout: 1000 }).end();
  try {
    const [response] = await once(call, "response");
    response.resume();
    return response.statusCode === 200;
  } catch {
    return false;
  }
}

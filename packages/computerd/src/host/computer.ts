/** One computer of this host while it runs. */

import { randomBytes, randomUUID } from "node:crypto";
import { DaemonProcess } from "./daemon-process.ts";
import type { LaunchSpec } from "./launch-spec.ts";
import { childrenOf, networkOf } from "./process-table.ts";
import type { ComputerDirectory, StateDirectory } from "./state-directory.ts";

export interface ComputerOptions {
  readonly id: string;
  readonly spec: LaunchSpec;
  readonly tools: readonly string[];
  readonly state: StateDirectory;
  readonly log: (text: string) => void;
}

export class Computer {
  readonly spec: LaunchSpec;
  readonly runtimeId: string;
  readonly clientSecret: string;
  readonly socket: string;
  /** Resolves with the reason once the daemon has ended and nothing of the computer is left. */
  readonly gone: Promise<string>;
  /** When somebody last used it, in milliseconds since the epoch. */
  lastUsed: number = Date.now();
  readonly #daemon: DaemonProcess;
  #requests = 0;
  #reason: string | undefined;

  private constructor(
    options: ComputerOptions,
    identity: { runtimeId: string; clientSecret: string },
    directory: ComputerDirectory,
    daemon: DaemonProcess,
  ) {
    this.spec = options.spec;
    this.runtimeId = identity.runtimeId;
    this.clientSecret = identity.clientSecret;
    this.socket = directory.socket;
    this.#daemon = daemon;
    this.gone = daemon.ended.then(async (how) => {
      await options.state.remove(directory).catch((error: Error) => options.log(`${error.message}\n`));
      return this.#reason ?? `crashed: its daemon ${how}`;
    });
  }

  /** Starts a computer, with a secret that no earlier one had. Throws HostError ELAUNCH, leaving nothing behind. */
  static async start(options: ComputerOptions): Promise<Computer> {
    const { spec, tools, log } = options;
    const identity = { runtimeId: randomUUID(), clientSecret: randomBytes(32).toString("base64url") };
    const directory = await options.state.create(options.id);
    try {
      const daemon = await DaemonProcess.start(
        { directory, spec, tools, log, runtimeId: identity.runtimeId, secret: identity.clientSecret },
        async (pid) => {
          try {
            await options.state.recordDaemon(directory, pid);
          } catch (error) {
            // Nobody would find it again.
            process.kill(pid, "SIGKILL");
            throw error;
          }
        },
      );
      return new Computer(options, identity, directory, daemon);
    } catch (error) {
      await options.state.remove(directory);
      throw error;
    }
  }

  /** Ends every process of it, unmounts and removes its state. The reason is what `gone` resolves with. */
  async stop(reason: string): Promise<void> {
    this.#reason ??= reason;
    await this.#daemon.stop();
    await this.gone;
  }

  get alive(): boolean {
    return this.#daemon.alive;
  }

  /** Counts as activity until the returned function is called. */
  use(): () => void {
    this.#requests++;
    let over = false;
    return () => {
      if (over) return;
      over = true;
      this.#requests--;
      this.lastUsed = Date.now();
    };
  }

  /** How long nobody has used it and no command has run, in milliseconds. */
  idleMs(): number {
    if (this.#requests > 0 || this.#daemon.busy) this.lastUsed = Date.now();
    return Date.now() - this.lastUsed;
  }

  /** A process in the network of this computer's commands; undefined where that is the machine's own. */
  networkProcess(): number | undefined {
    const own = networkOf("self");
    return childrenOf(this.#daemon.pid)
      .flatMap(childrenOf)
      .find((child) => (networkOf(child) ?? own) !== own);
  }
}

/** The computers of a host by id: started once, noticed when they end, stopped when nobody uses them. */

import { Computer } from "./computer.ts";
import { isForCommands } from "./daemon-process.ts";
import { HostError } from "./host-error.ts";
import { type LaunchSpec, sameSpec } from "./launch-spec.ts";
import type { StateDirectory } from "./state-directory.ts";

const KEPT_EXITS = 1000;
const SWEEP_MS = 1000;

export interface RuntimeInfo {
  /** One run of one computer; another after each start. */
  readonly runtimeId: string;
  /** What the computer's daemon wants as a bearer token. */
  readonly clientSecret: string;
  readonly outcome: "launched" | "adopted" | "relaunched";
  /** Names in the spec's env that were not handed on: commands get those with the prefix COMPUTER_VAR_, the daemon's are the host's. */
  readonly ignored: readonly string[];
}

export interface ExitInfo {
  /** Milliseconds since the epoch. */
  readonly exitedAt: number;
  /** `stopped`, `idle`, `restarted`, `the host was stopped`, or `crashed: …`. */
  readonly reason: string;
}

export interface ComputerStatus {
  readonly running: boolean;
  readonly exit: ExitInfo | null;
  readonly runtimeId: string | null;
}

export interface SupervisorOptions {
  readonly state: StateDirectory;
  readonly tools: readonly string[];
  /** Hears one line at a time. */
  readonly log: (line: string) => void;
}

export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #computers = new Map<string, Computer>();
  readonly #exits = new Map<string, ExitInfo>();
  readonly #turns = new Map<string, Promise<unknown>>();
  /** Milliseconds of allowed inactivity. */
  readonly #patience = new Map<string, number>();
  readonly #sweep: NodeJS.Timeout;
  #closing = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#sweep = setInterval(() => {
      for (const [id, ms] of this.#patience)
        this.#stopIfIdle(id, ms).catch((error: Error) => options.log(`${id}: ${error.message}`));
    }, SWEEP_MS).unref();
  }

  /** Gives the computer with this id: the one that runs where it was started with the same spec, else a new one. */
  start(id: string, spec: LaunchSpec): Promise<RuntimeInfo> {
    return this.#inTurn(id, async () => {
      const running = this.#running(id);
      if (running && sameSpec(running.spec, spec)) {
        running.lastUsed = Date.now();
        return runtimeInfo(running, "adopted");
      }
      await this.#computers.get(id)?.stop("restarted");
      return runtimeInfo(await this.#launch(id, spec), running ? "relaunched" : "launched");
    });
  }

  /** Gives a new computer, whatever runs. */
  restart(id: string, spec: LaunchSpec): Promise<RuntimeInfo> {
    return this.#inTurn(id, async () => {
      await this.#computers.get(id)?.stop("restarted");
      return runtimeInfo(await this.#launch(id, spec), "relaunched");
    });
  }

  /** Ends every process of a computer and removes its state. Nothing where none runs. */
  stop(id: string): Promise<void> {
    return this.#inTurn(id, async () => {
      this.#patience.delete(id);
      await this.#computers.get(id)?.stop("stopped");
    });
  }

  status(id: string): ComputerStatus {
    const running = this.#running(id);
    if (running) return { running: true, exit: null, runtimeId: running.runtimeId };
    return { running: false, exit: this.#exits.get(id) ?? null, runtimeId: null };
  }

  /** @throws HostError ENOTRUNNING */
  get(id: string): Computer {
    const running = this.#running(id);
    if (!running) throw new HostError("ENOTRUNNING", `computer ${id} does not run: POST /computers/${id} starts it`);
    return running;
  }

  /**
   * Stops a computer after this many milliseconds, give or take one second, without a request and without a running command.
   * @throws HostError EUNKNOWN for an id under which nothing runs or ran.
   */
  setInactivityTimeout(id: string, ms: number): void {
    if (!this.#computers.has(id) && !this.#turns.has(id) && !this.#exits.has(id)) {
      throw new HostError("EUNKNOWN", `there is no computer ${id}: POST /computers/${id} starts it`);
    }
    this.#patience.set(id, ms);
  }

  /** Ends all computers; none can be started afterwards. */
  async close(): Promise<void> {
    this.#closing = true;
    clearInterval(this.#sweep);
    await Promise.allSettled(this.#turns.values());
    await Promise.all([...this.#computers.values()].map((computer) => computer.stop("the host was stopped")));
  }

  #running(id: string): Computer | undefined {
    const computer = this.#computers.get(id);
    return computer?.alive ? computer : undefined;
  }

  async #stopIfIdle(id: string, ms: number): Promise<void> {
    if (this.#turns.has(id) || !this.#running(id)) return;
    await this.#inTurn(id, async () => {
      const running = this.#running(id);
      if (running && running.idleMs() >= ms) await running.stop("idle");
    });
  }

  async #launch(id: string, spec: LaunchSpec): Promise<Computer> {
    const { state, tools, log } = this.#options;
    const say = (text: string) => {
      for (const line of text.split("\n")) if (line.trim() !== "") log(`${id}: ${line}`);
    };
    const computer = await Computer.start({ id, spec, tools, state, log: say });
    this.#computers.set(id, computer);
    say(`started, runtime ${computer.runtimeId}`);
    void computer.gone.then((reason) => {
      if (this.#computers.get(id) === computer) this.#computers.delete(id);
      this.#rememberExit(id, { exitedAt: Date.now(), reason });
      say(reason);
    });
    return computer;
  }

  #rememberExit(id: string, exit: ExitInfo): void {
    this.#exits.delete(id);
    this.#exits.set(id, exit);
    for (const oldest of this.#exits.keys()) {
      if (this.#exits.size <= KEPT_EXITS) break;
      this.#exits.delete(oldest);
    }
  }

  /** One thing at a time for each id, so that two starts at once are one. */
  #inTurn<T>(id: string, act: () => Promise<T>): Promise<T> {
    if (this.#closing) return Promise.reject(new HostError("ENOTRUNNING", "the host is being stopped"));
    const turn = (this.#turns.get(id) ?? Promise.resolve()).then(act, act);
    this.#turns.set(id, turn);
    const over = () => {
      if (this.#turns.get(id) === turn) this.#turns.delete(id);
    };
    turn.then(over, over);
    return turn;
  }
}

function runtimeInfo({ runtimeId, clientSecret, spec }: Computer, outcome: RuntimeInfo["outcome"]): RuntimeInfo {
  return { runtimeId, clientSecret, outcome, ignored: Object.keys(spec.env).filter((name) => !isForCommands(name)) };
}

/** An object, a computer and what is between them, with a plan of what goes wrong, and the checks of what must hold whatever does. */

import { isComputerError } from "@cloudflare/computer-rpc";
import { ROOT_INO } from "@cloudflare/dofs";
import { type NodeStorage, openNodeStorage } from "@cloudflare/dofs/node";
import type { ModuleExecutionEnvelope, SyncOutcome } from "../../src/computer/run.ts";
import { FakeClock } from "./fake-clock.ts";
import { type Fault, Faults, type PlannedFault, type Point } from "./faults.ts";
import { ModelComputer } from "./model-computer.ts";
import { ModelObject } from "./model-object.ts";
import type { ModelConnection } from "./model-socket.ts";
import { describe, files, find, generator, RandomSide, Tokens } from "./random-tree.ts";

const MINUTE = 60_000;
/** How long anything may take, waits for silent connections included. */
const PATIENCE = 30 * MINUTE;
/** What a slow consumer waits between two events. */
const SLOW = 5 * MINUTE;

export class World {
  readonly clock: FakeClock = new FakeClock();
  readonly faults: Faults;
  readonly next: () => number;
  /** How many there were. */
  connections = 0;
  readonly computerSide: RandomSide;
  readonly #tokens = new Tokens();
  readonly #workspaceSide: RandomSide;
  readonly #storage: NodeStorage = openNodeStorage();
  readonly #connections = new Set<ModelConnection>();
  readonly #runs = new Map<string, number>();
  /** What a run's computer had when it ended. */
  readonly #atEnd = new Map<string, Set<string>>();
  /** Tokens of the computer that the workspace has said to have. */
  readonly #acknowledged = new Set<string>();
  /** Tokens of lives that ended before the workspace took them over. */
  readonly #gone = new Set<string>();
  #computer: ModelComputer | undefined;
  #object: ModelObject | undefined;
  #lives = 0;
  #ids = 0;
  #time = 1_700_000_000_000;

  constructor(seed: number, plan: readonly PlannedFault[]) {
    this.faults = new Faults(plan);
    this.next = generator(seed);
    this.#workspaceSide = new RandomSide("w", this.#tokens, this.next);
    this.computerSide = new RandomSide("c", this.#tokens, this.next);
  }

  /** A time that never comes twice. */
  time(): number {
    return ++this.#time;
  }

  async turn(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.clock.activity++;
  }

  computer(): ModelComputer {
    this.#computer ??= new ModelComputer(this, ++this.#lives);
    return this.#computer;
  }

  object(): ModelObject {
    this.#object ??= new ModelObject(this, this.#storage);
    return this.#object;
  }

  connected(connection: ModelConnection): void {
    this.connections++;
    this.#connections.add(connection);
  }

  started(id: string): void {
    this.#runs.set(id, (this.#runs.get(id) ?? 0) + 1);
  }

  ended(id: string, computer: ModelComputer): void {
    this.#atEnd.set(id, this.#tokens.in(computer.store, "/workspace"));
  }

  /** Counts a step and lets happen what is planned for it. */
  fault(point: Point, at?: ModelConnection): Fault | undefined {
    this.clock.activity++;
    const fault = this.faults.step(point);
    const connections = at === undefined ? [...this.#connections] : [at];
    if (fault === "cut") for (const one of connections) one.cut();
    else if (fault === "stall") for (const one of connections) one.stall("both");
    else if (fault === "half-close") for (const one of connections) one.stall(this.next() < 0.5 ? "near" : "far");
    else if (fault === "kill") this.#endComputer("cut");
    else if (fault === "replace") this.#endComputer("stall");
    else if (fault === "restart") this.#restart();
    return fault;
  }

  #endComputer(how: "cut" | "stall"): void {
    const computer = this.#computer;
    if (computer === undefined) return;
    this.#computer = undefined;
    computer.alive = false;
    for (const token of this.#tokens.in(computer.store, "/workspace")) {
      if (!this.#acknowledged.has(token)) this.#gone.add(token);
    }
    for (const one of this.#connections) how === "cut" ? one.cut() : one.stall("both");
    this.#connections.clear();
  }

  #restart(): void {
    this.#object?.restart();
    this.#object = undefined;
    for (const one of this.#connections) one.cut();
    this.#connections.clear();
  }

  /** Reads a file on the computer as a mount does; contents that do not come are an error to the command and nothing more. */
  async readSomething(computer: ModelComputer): Promise<void> {
    const all = [...files(computer.store, "/workspace")].filter(([, { kind }]) => kind === "file");
    const picked = all[Math.floor(this.next() * all.length)];
    if (picked !== undefined) await this.#read(computer, picked[0]).catch(() => {});
  }

  async #read(computer: ModelComputer, path: string): Promise<void> {
    const attr = find(computer.store, path);
    if (attr?.kind !== "file") return;
    const bytes = computer.store.read(attr.ino, 0, attr.size);
    if (!(bytes instanceof Uint8Array)) computer.store.putChunks(await computer.fetcher.fetch(bytes.absent));
  }

  /** One change of the workspace by whoever uses it. */
  changeWorkspace(): void {
    const { store } = this.object();
    try {
      if (find(store, "/workspace") === undefined) store.create(ROOT_INO, "workspace", { kind: "dir", mode: 0o755 });
    } catch {
      return;
    }
    this.#workspaceSide.change(store);
  }

  /** One change by what a command has left in the background of the computer. */
  changeComputer(): void {
    if (this.#computer?.used === true) this.computerSide.change(this.#computer.store);
  }

  /** Runs a command, which says nothing at first for as long, and attaches to it again where the object restarts meanwhile. */
  async run(steps: number, silentMs = 0): Promise<void> {
    const id = `run-${++this.#ids}`;
    const object = this.object();
    let envelope: ModuleExecutionEnvelope;
    try {
      envelope = await this.#within("exec", object, object.session.exec({ id, source: `${steps} ${silentMs}` }));
    } catch (error) {
      if (isComputerError(error, "ESYNC")) this.#expect(this.#count(id) === 0, `${id} was not to be started, and ran`);
      else if (object.alive) this.#expect(isComputerError(error, "EEXEC_UNCERTAIN"), `exec says ${error}`);
      this.#expect(this.#count(id) <= 1, `${id} ran twice`);
      return;
    }
    let last = await this.#follow(object, id, envelope, -1);
    while (last !== undefined) {
      const again = this.object();
      const { runtimeId } = envelope;
      const input = { id, after: last, ...(runtimeId === undefined ? {} : { runtimeId }) };
      try {
        envelope = await this.#within("getExec", again, again.session.getExec(input));
      } catch (error) {
        if (!again.alive) continue;
        const known = isComputerError(error) && error.code !== "EOPTION";
        this.#expect(known, `getExec says ${error}`);
        break;
      }
      last = await this.#follow(again, id, envelope, last);
    }
    this.#expect(this.#count(id) === 1, `${id} ran ${this.#count(id)} times`);
  }

  /** Takes events to the exit; the number of the last one where the object restarted before it. */
  async #follow(
    object: ModelObject,
    id: string,
    envelope: ModuleExecutionEnvelope,
    after: number,
  ): Promise<number | undefined> {
    const reader = envelope.events.getReader();
    for (let last = after; ; ) {
      try {
        if (this.fault("event") === "slow") await this.#within("wait", object, sleep(SLOW));
        const { value, done } = await this.#within("events", object, reader.read());
        this.#expect(!done, `the events of ${id} ended without an exit`);
        this.#expect(value!.seq === last + 1, `event ${value!.seq} of ${id} came after ${last}`);
        last = value!.seq;
        if (value!.name !== "exit") {
          for (let i = Math.floor(this.next() * 3); i > 0; i--) this.changeWorkspace();
          continue;
        }
        const outcome = await envelope.sync?.outcome;
        this.#expect(value!.code === 0 && this.#atEnd.has(id), `${id} is told to have ended, and has not`);
        this.#took(id, outcome);
        return undefined;
      } catch (error) {
        if (!object.alive) return last;
        if (isComputerError(error, "EEXEC_UNCERTAIN") || isComputerError(error, "EEXEC_LOST")) return undefined;
        throw error;
      }
    }
  }

  #took(id: string, outcome: SyncOutcome | undefined): void {
    if (outcome?.sync.status !== "complete") return;
    for (const token of this.#atEnd.get(id)!) this.#acknowledged.add(token);
  }

  /** A push or a pull by itself, left early at times. */
  async sync(direction: "push" | "pull"): Promise<void> {
    const object = this.object();
    const computer = this.#computer;
    const there = computer === undefined ? [] : this.#tokens.in(computer.store, "/workspace");
    const leave = this.next() < 0.3;
    try {
      const steps = object.session[direction]()[Symbol.asyncIterator]();
      for (;;) {
        const { done } = await this.#within(direction, object, steps.next());
        if (done === true) break;
        if (leave) {
          await this.#within(direction, object, Promise.resolve(steps.return?.()));
          return;
        }
      }
    } catch (error) {
      if (object.alive && !isTelling(error)) throw error;
      return;
    }
    if (direction === "pull" && computer?.alive === true) for (const token of there) this.#acknowledged.add(token);
  }

  /** Without further faults: syncs until nothing moves, then checks everything. */
  async settle(): Promise<void> {
    this.faults.end();
    for (const one of this.#connections) one.cut();
    let quiet = false;
    for (let round = 0; round < 8 && !quiet; round++) {
      const object = this.object();
      let moved = 0;
      for (const direction of ["pull", "push"] as const) {
        const steps = object.session[direction]()[Symbol.asyncIterator]();
        for (;;) {
          const step = await this.#within(direction, object, steps.next()).catch((error: unknown) => {
            if (round < 2 && isTelling(error)) return { done: true, value: undefined } as const;
            throw error;
          });
          if (step.done === true) break;
          moved = Math.max(moved, step.value.entries);
        }
      }
      quiet = moved === 0 && round > 1;
    }
    this.#expect(quiet, "both sides keep sending");
    const computer = this.computer();
    const object = this.object();
    for (const [path] of files(computer.store, "/workspace")) {
      await this.#within(`reading ${path}`, object, this.#read(computer, path));
    }
    const [here, there] = [describe(object.store), describe(computer.store)];
    this.#expect(
      here.join("\n") === there.join("\n"),
      `the sides differ:\n${here.filter((line) => !there.includes(line)).join("\n")}\n--\n${there.filter((line) => !here.includes(line)).join("\n")}`,
    );
    const kept = this.#tokens.in(object.store, "");
    const isFree = (token: string): boolean =>
      kept.has(token) || this.#workspaceSide.released.has(token) || this.computerSide.released.has(token);
    const lost = [...this.#workspaceSide.written].filter((token) => !isFree(token));
    const unkept = [...this.computerSide.written].filter(
      (token) => !isFree(token) && (this.#acknowledged.has(token) || !this.#gone.has(token)),
    );
    this.#expect(lost.length + unkept.length === 0, `lost: ${[...lost, ...unkept].join(", ")}`);
    await object.session.close();
    this.#storage.close();
  }

  #count(id: string): number {
    return this.#runs.get(id) ?? 0;
  }

  #expect(holds: boolean, what: string): void {
    if (!holds) throw new Error(what);
  }

  /** Waits for something the object does, as long as it lives. */
  #within<T>(what: string, object: ModelObject, promise: Promise<T>): Promise<T> {
    return this.clock.until(what, Promise.race([promise, object.over]), PATIENCE);
  }
}

/** Whether an error says what happened, as all must that a caller gets. */
function isTelling(error: unknown): boolean {
  if (isComputerError(error)) return true;
  return error instanceof Error && /ENOSPC|SQLITE_FULL/.test(error.message);
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

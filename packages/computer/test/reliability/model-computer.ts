/** The computer of the model: real sync and sessions over a store in memory, and commands that change its files step by step. */

import {
  ComputerError,
  ContentsFetcher,
  type DaemonRPC,
  localFacade,
  PROTOCOL_VERSION,
  type StoreFacade,
  SyncServer,
} from "@cloudflare/computer-rpc";
import { FsError, MemoryStore, ROOT_INO } from "@cloudflare/dofs";
import { MemoryRun } from "../../src/testing/memory-run.ts";
import { sha256 } from "./random-tree.ts";
import type { World } from "./world.ts";

/** One life of a computer. Everything is gone with it. */
export class ModelComputer {
  readonly runtimeId: string;
  readonly store: MemoryStore;
  readonly fetcher: ContentsFetcher = new ContentsFetcher();
  readonly daemon: DaemonRPC;
  alive = true;
  /** Whether a command was ever started. */
  used = false;
  readonly #world: World;
  readonly #runs = new Map<string, MemoryRun>();

  constructor(world: World, number: number) {
    this.#world = world;
    this.runtimeId = `runtime-${number}`;
    this.store = new MemoryStore({ sha256, now: () => world.time() });
    this.store.create(ROOT_INO, "workspace", { kind: "dir", mode: 0o755 });
    this.daemon = {
      hello: async () => ({ protocol: PROTOCOL_VERSION, runtimeId: this.runtimeId, mount: "fuse", fetches: true }),
      sync: new SyncServer({ store: this.#facade(), allowAbsent: true }),
      shell: {
        exec: async ({ id, source }) => this.#exec(id ?? "", ...source.split(" ").map(Number)),
        getExec: async ({ id, after }) => ({ id, events: this.#run(id).events(after) }),
        killExec: async ({ id }) => this.#run(id).end({ code: 143, ended: "killed" }),
        disposeExec: async ({ id }) => void this.#runs.delete(id),
      },
    };
  }

  async #exec(id: string, steps = 0, silentMs = 0): ReturnType<DaemonRPC["shell"]["exec"]> {
    if (this.#runs.has(id)) throw new ComputerError("EEXEC_EXISTS");
    const run = new MemoryRun(id);
    this.#runs.set(id, run);
    this.used = true;
    this.#world.started(id);
    void this.#work(run, steps, silentMs);
    return { id, events: run.events() };
  }

  async #work(run: MemoryRun, steps: number, silentMs: number): Promise<void> {
    if (silentMs > 0) await new Promise((resolve) => setTimeout(resolve, silentMs));
    for (let step = 0; step < steps; step++) {
      await this.#world.turn();
      this.#world.fault("run");
      if (!this.alive) return;
      this.#world.computerSide.change(this.store);
      await this.#world.readSomething(this);
      run.say("stdout", new TextEncoder().encode(`${step}`));
    }
    if (!this.alive) return;
    this.#world.ended(run.id, this);
    run.end({ code: 0 });
  }

  #run(id: string): MemoryRun {
    const run = this.#runs.get(id);
    if (run === undefined) throw new ComputerError("EEXEC_LOST");
    return run;
  }

  /** The store with each call a step at which the disk may be full or the daemon may die. */
  #facade(): StoreFacade {
    const store = localFacade(this.store);
    const step = async <T>(call: () => Promise<T>): Promise<T> => {
      const fault = this.#world.fault("store");
      if (fault === "full") throw new FsError("ENOSPC");
      // A daemon that is dead answers nothing.
      return this.alive ? call() : new Promise<T>(() => {});
    };
    return {
      rev: () => step(() => store.rev()),
      entry: (path) => step(() => store.entry(path)),
      changes: (after, limits) => step(() => store.changes(after, limits)),
      apply: (entries, options) => step(() => store.apply(entries, options)),
      missingChunks: (hashes) => step(() => store.missingChunks(hashes)),
      putChunks: (chunks) => step(() => store.putChunks(chunks)),
      getChunks: (hashes) => step(() => store.getChunks(hashes)),
      peer: (id) => step(() => store.peer(id)),
      setPeer: (id, state) => step(() => store.setPeer(id, state)),
      setReadOnlyRoots: (paths) => step(() => store.setReadOnlyRoots(paths)),
    };
  }
}

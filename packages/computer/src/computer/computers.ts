/** The computers of a workspace by id, each connected when it is first used. */

import { ComputerError } from "@cloudflare/computer-rpc";
import type { Computer, ComputerHost, ComputerSession } from "./computer.ts";

export class Computers {
  readonly #byId = new Map<string, Computer>();
  readonly #sessions = new Map<string, Promise<ComputerSession>>();
  #host: ComputerHost | undefined;
  #closed = false;

  /** Two computers of one id are refused with `EOPTION`. */
  constructor(computers: readonly Computer[]) {
    for (const computer of computers) {
      if (this.#byId.has(computer.id)) {
        throw new ComputerError(
          "EOPTION",
          `Two backends have the id "${computer.id}". Give each its own, e.g. new ContainerBackend({ id: "builder", … }).`,
        );
      }
      this.#byId.set(computer.id, computer);
    }
  }

  /** Says what computers are connected to; once, before the first session. */
  serve(host: ComputerHost): void {
    this.#host = host;
  }

  list(): Computer[] {
    return [...this.#byId.values()];
  }

  /** The computer of this id, or the default without one. */
  get(id: string | undefined): Computer {
    const computer = id === undefined ? this.#byId.values().next().value : this.#byId.get(id);
    if (computer !== undefined) return computer;
    const ids = [...this.#byId.keys()];
    throw new ComputerError(
      "EOPTION",
      ids.length === 0
        ? "This workspace has no backend, so nothing can run: configure one in its options, e.g. backends: [new ContainerBackend({ … })]."
        : `There is no backend "${id}". There are: ${ids.join(", ")}.`,
    );
  }

  /** The live session of a computer, connected now where there is none. */
  session(id: string): Promise<ComputerSession> {
    const live = this.#sessions.get(id);
    if (live !== undefined) return live;
    const session = this.#connect(this.get(id));
    this.#sessions.set(id, session);
    const forget = (): void => {
      if (this.#sessions.get(id) === session) this.#sessions.delete(id);
    };
    session.then((connected) => connected.closed?.then(forget, forget), forget);
    return session;
  }

  /** Ends every session. Afterwards none can be had. */
  async close(): Promise<void> {
    this.#closed = true;
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    const ended = await Promise.allSettled(sessions.map(async (session) => (await session).close?.()));
    for (const each of ended)
      if (each.status === "rejected") console.warn("A computer did not close cleanly:", each.reason);
  }

  async #connect(computer: Computer): Promise<ComputerSession> {
    if (this.#closed || this.#host === undefined) {
      throw new ComputerError("EUNAVAILABLE", "This workspace was closed. Make a new Workspace over the same storage.");
    }
    await this.#host.ready?.();
    return computer.connect(this.#host);
  }
}

/** A user's backend of the 0.8.0 API, as a computer. */

import type { BackendHandle, WorkspaceBackend, WorkspaceRegisteredBackend } from "./backend.ts";
import type { Computer, ComputerHost, ComputerSession } from "./computer.ts";
import { SyncedSession } from "./synced-session.ts";

/** A computer is itself, a module backend is one already, and one that speaks `WorkspaceRPC` gets the bracket of push, run and pull. */
export function liftBackend(backend: WorkspaceRegisteredBackend | Computer): Computer {
  return "protocol" in backend ? backend : new LiftedBackend(backend);
}

class LiftedBackend implements Computer {
  readonly id: string;
  readonly type: string;
  readonly protocol = "command";
  readonly callable: boolean | undefined;
  readonly description: string | undefined;
  readonly #backend: WorkspaceBackend;

  constructor(backend: WorkspaceBackend) {
    this.#backend = backend;
    this.id = backend.id;
    this.type = backend.type;
    this.callable = backend.callable;
    this.description = backend.description;
  }

  async connect(host: ComputerHost): Promise<ComputerSession> {
    const dial = (): Promise<BackendHandle> => this.#backend.connect(host);
    const session = new SyncedSession({ id: this.id, dial, host });
    await session.open();
    return session;
  }
}

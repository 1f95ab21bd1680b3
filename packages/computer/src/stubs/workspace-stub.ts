/** A workspace, for another isolate. */

import { RpcTarget } from "cloudflare:workers";
import { WorkspaceFilesystemStub } from "./filesystem-stub.ts";
import { liveTargets } from "./live-targets.ts";
import { WorkspaceRuntimeStub } from "./runtime-stub.ts";
import type { ServedWorkspace } from "./served-workspace.ts";

/** What `getWorkspace` works on from outside of the object. */
export class WorkspaceStub extends RpcTarget {
  readonly #fs: WorkspaceFilesystemStub;
  readonly #runtime: WorkspaceRuntimeStub;

  constructor(ws: ServedWorkspace) {
    super();
    this.#fs = new WorkspaceFilesystemStub(ws);
    this.#runtime = new WorkspaceRuntimeStub(ws);
    liveTargets.add(this);
  }

  get fs(): WorkspaceFilesystemStub {
    return this.#fs;
  }

  get runtime(): WorkspaceRuntimeStub {
    return this.#runtime;
  }

  [Symbol.dispose](): void {
    liveTargets.remove(this);
  }
}

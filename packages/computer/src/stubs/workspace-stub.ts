/** A workspace, for another isolate. */

import { RpcTarget } from "cloudflare:workers";
import { WorkspaceArtifactsStub } from "./artifacts-stub.ts";
import { WorkspaceAssetsStub } from "./assets-stub.ts";
import { WorkspaceFilesystemStub } from "./filesystem-stub.ts";
import { WorkspaceGitStub } from "./git-stub.ts";
import { liveTargets } from "./live-targets.ts";
import { WorkspaceRuntimeStub } from "./runtime-stub.ts";
import type { ServedWorkspace } from "./served-workspace.ts";

/** What `getWorkspace` works on from outside of the object. */
export class WorkspaceStub extends RpcTarget {
  readonly #fs: WorkspaceFilesystemStub;
  readonly #runtime: WorkspaceRuntimeStub;
  readonly #git: WorkspaceGitStub;
  readonly #artifacts: WorkspaceArtifactsStub;
  readonly #assets: WorkspaceAssetsStub | undefined;

  constructor(ws: ServedWorkspace) {
    super();
    this.#fs = new WorkspaceFilesystemStub(ws);
    this.#runtime = new WorkspaceRuntimeStub(ws);
    this.#git = new WorkspaceGitStub(ws);
    this.#artifacts = new WorkspaceArtifactsStub(ws.artifacts);
    this.#assets = ws.assets === undefined ? undefined : new WorkspaceAssetsStub(ws);
    liveTargets.add(this);
  }

  get fs(): WorkspaceFilesystemStub {
    return this.#fs;
  }

  get runtime(): WorkspaceRuntimeStub {
    return this.#runtime;
  }

  get git(): WorkspaceGitStub {
    return this.#git;
  }

  get artifacts(): WorkspaceArtifactsStub {
    return this.#artifacts;
  }

  /** Undefined where the workspace cannot share files. */
  get assets(): WorkspaceAssetsStub | undefined {
    return this.#assets;
  }

  get hasAssets(): boolean {
    return this.#assets !== undefined;
  }

  [Symbol.dispose](): void {
    liveTargets.remove(this);
  }
}

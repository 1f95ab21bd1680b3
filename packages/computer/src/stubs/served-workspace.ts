/** The part of a workspace that its stubs serve. */

import type { WorkspaceFilesystem } from "@cloudflare/dofs";
import type { ArtifactClient } from "../artifacts/artifact-client.ts";
import type { AssetsClient } from "../assets/assets-client.ts";
import type { GitClient } from "../git/client/git-client.ts";
import type { WorkspaceRuntime } from "../runtime/workspace-runtime.ts";

export interface ServedWorkspace {
  readonly fs: WorkspaceFilesystem;
  readonly runtime: WorkspaceRuntime;
  readonly git: GitClient;
  readonly artifacts: ArtifactClient;
  readonly assets?: AssetsClient | undefined;
}

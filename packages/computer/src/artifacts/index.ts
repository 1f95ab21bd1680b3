/** Git repositories that outlive the workspace: those of a binding of Artifacts, a session's own or all of a namespace. */

export type {
  ArtifactClient,
  ArtifactImportOptions,
  ArtifactImportSource,
  ArtifactRepoSummary,
  ArtifactScope,
  ArtifactsCLIInput,
  ArtifactsCLIResult,
  RemoteAddFn,
} from "./artifact-client.ts";
export { ArtifactError, InvalidRepoNameError, InvalidSessionIdError, NotFoundError } from "./artifact-error.ts";
export { runArtifactsCLI } from "./artifacts-cli.ts";
export { createArtifact } from "./create-artifact.ts";

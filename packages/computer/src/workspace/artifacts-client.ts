/** The git repositories of a workspace in reach of a client. */

import type { ArtifactClient } from "../artifacts/artifact-client.ts";
import { revivedArtifactError } from "../artifacts/artifact-error.ts";
import type { AsyncMethods } from "./workspace-client.ts";
import type { WorkspaceLink } from "./workspace-link.ts";

type Artifacts = AsyncMethods<ArtifactClient>;

export function artifactsClient(link: WorkspaceLink): Artifacts {
  const call = async <T>(ask: (artifacts: Artifacts) => Promise<T>): Promise<T> => {
    try {
      return await link.use((found) => ask("local" in found ? found.local.artifacts : found.remote.artifacts));
    } catch (error) {
      throw revivedArtifactError(error);
    }
  };
  return {
    create: (name, opts) => call((artifacts) => artifacts.create(name, opts)),
    get: (name) => call((artifacts) => artifacts.get(name)),
    list: () => call((artifacts) => artifacts.list()),
    import: (name, source, opts) => call((artifacts) => artifacts.import(name, source, opts)),
    delete: (name) => call((artifacts) => artifacts.delete(name)),
    createToken: (name, scope, ttl) => call((artifacts) => artifacts.createToken(name, scope, ttl)),
    listTokens: (name) => call((artifacts) => artifacts.listTokens(name)),
    getToken: (name, id) => call((artifacts) => artifacts.getToken(name, id)),
    revokeToken: (name, tokenOrId) => call((artifacts) => artifacts.revokeToken(name, tokenOrId)),
    cli: (input) => call((artifacts) => artifacts.cli(input)),
  };
}

/** The artifacts of a workspace that has none. */

import type { ArtifactClient } from "./artifact-client.ts";
import { ArtifactError } from "./artifact-error.ts";
import { runArtifactsCLI } from "./artifacts-cli.ts";

/** Says at every call what to configure. */
export function noArtifacts(): ArtifactClient {
  const refuse = async (): Promise<never> => {
    throw new ArtifactError(
      "NOT_CONFIGURED",
      'This workspace has no artifacts: add "artifacts": [{ "binding": "ARTIFACTS", "namespace": "default" }] to wrangler.jsonc and give it artifacts: { binding: env.ARTIFACTS }.',
    );
  };
  const client: ArtifactClient = {
    sessionId: undefined,
    create: refuse,
    get: refuse,
    list: refuse,
    import: refuse,
    delete: refuse,
    createToken: refuse,
    listTokens: refuse,
    getToken: refuse,
    revokeToken: refuse,
    cli: (input) => runArtifactsCLI(client, input, false),
  };
  return client;
}

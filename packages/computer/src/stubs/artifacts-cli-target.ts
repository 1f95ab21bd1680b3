/** The command `artifacts`, for another isolate. */

import { RpcTarget } from "cloudflare:workers";
import type { ArtifactsCLIInput, ArtifactsCLIResult } from "../artifacts/artifact-client.ts";

/** Runs command lines of `artifacts` for who holds it. */
export class ArtifactsCLITarget extends RpcTarget {
  readonly #cli: (input: ArtifactsCLIInput) => Promise<ArtifactsCLIResult>;

  constructor(cli: (input: ArtifactsCLIInput) => Promise<ArtifactsCLIResult>) {
    super();
    this.#cli = cli;
  }

  async cli(input: ArtifactsCLIInput): Promise<ArtifactsCLIResult> {
    return this.#cli(input);
  }
}

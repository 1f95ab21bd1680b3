/** The git repositories of a workspace, for another isolate. */

import { RpcTarget } from "cloudflare:workers";
import type {
  ArtifactClient,
  ArtifactImportOptions,
  ArtifactImportSource,
  ArtifactRepoSummary,
  ArtifactScope,
  ArtifactsCLIInput,
  ArtifactsCLIResult,
} from "../artifacts/artifact-client.ts";

/** Passes each call on; errors lead with their code, so that the client can rebuild them. */
export class WorkspaceArtifactsStub extends RpcTarget {
  readonly #artifacts: ArtifactClient;

  constructor(artifacts: ArtifactClient) {
    super();
    this.#artifacts = artifacts;
  }

  get sessionId(): string | undefined {
    return this.#artifacts.sessionId;
  }

  async create(
    name: string,
    opts?: {
      readOnly?: boolean | undefined;
      description?: string | undefined;
      setDefaultBranch?: string | undefined;
    },
  ): Promise<ArtifactsCreateRepoResult> {
    return this.#artifacts.create(name, opts);
  }

  async get(name: string): Promise<ArtifactsRepoInfo> {
    return this.#artifacts.get(name);
  }

  async list(): Promise<ArtifactRepoSummary[]> {
    return this.#artifacts.list();
  }

  async import(
    name: string,
    source: ArtifactImportSource,
    opts?: ArtifactImportOptions,
  ): Promise<ArtifactsCreateRepoResult> {
    return this.#artifacts.import(name, source, opts);
  }

  async delete(name: string): Promise<boolean> {
    return this.#artifacts.delete(name);
  }

  async createToken(name: string, scope?: ArtifactScope, ttl?: number): Promise<ArtifactsCreateTokenResult> {
    return this.#artifacts.createToken(name, scope, ttl);
  }

  async listTokens(name: string): Promise<ArtifactsTokenListResult> {
    return this.#artifacts.listTokens(name);
  }

  async getToken(name: string, id: string): Promise<ArtifactsTokenInfo> {
    return this.#artifacts.getToken(name, id);
  }

  async revokeToken(name: string, tokenOrId: string): Promise<boolean> {
    return this.#artifacts.revokeToken(name, tokenOrId);
  }

  async cli(input: ArtifactsCLIInput): Promise<ArtifactsCLIResult> {
    return this.#artifacts.cli(input);
  }

  /** A part of its workspace's stub, which is what counts. */
  [Symbol.dispose](): void {}
}

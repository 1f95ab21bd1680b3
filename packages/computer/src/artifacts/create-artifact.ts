/** The client over a binding of Artifacts. */

import { definedFields } from "../options/defined-fields.ts";
import type { ArtifactClient, ArtifactRepoSummary, ArtifactsCLIInput, ArtifactsCLIResult } from "./artifact-client.ts";
import { artifactError, NotFoundError } from "./artifact-error.ts";
import { runArtifactsCLI } from "./artifacts-cli.ts";
import { RepoNames } from "./repo-names.ts";

const PAGE = 200;

/**
 * The repositories of one session in the namespace of a binding; of all sessions without one. `InvalidSessionIdError` for an empty id.
 *
 * @example
 * const artifacts = createArtifact(env.ARTIFACTS, "alice");
 * const { remote, token } = await artifacts.create("site");
 */
export function createArtifact(binding: Artifacts, sessionId?: string | null): ArtifactClient {
  return new BoundArtifacts(binding, new RepoNames(sessionId));
}

class BoundArtifacts implements ArtifactClient {
  readonly sessionId: string | undefined;
  readonly #binding: Artifacts;
  readonly #names: RepoNames;

  constructor(binding: Artifacts, names: RepoNames) {
    this.sessionId = names.sessionId;
    this.#binding = binding;
    this.#names = names;
  }

  create: ArtifactClient["create"] = async (name, opts = {}) =>
    this.#ask(name, async (stored) => named(await this.#binding.create(stored, definedFields(opts)), name));

  get: ArtifactClient["get"] = async (name) => this.#with(name, async (_repo, info) => named(info, name));

  list: ArtifactClient["list"] = async () => {
    const own: ArtifactRepoSummary[] = [];
    let cursor: string | undefined;
    try {
      do {
        const page: ArtifactsRepoListResult = await this.#binding.list({
          limit: PAGE,
          ...definedFields({ cursor }),
        });
        for (const repo of page.repos) {
          const name = this.#names.own(repo.name);
          if (name !== undefined) own.push(named(repo, name));
        }
        if (page.cursor === cursor) break;
        cursor = page.cursor;
      } while (cursor !== undefined);
    } catch (error) {
      throw artifactError(error, "");
    }
    return own;
  };

  import: ArtifactClient["import"] = async (name, { url, ...source }, opts = {}) =>
    this.#ask(name, async (target) => {
      const made = await this.#binding.import({
        source: { url, ...definedFields(source) },
        target: { name: target, opts: definedFields(opts) },
      });
      return named(made, name);
    });

  delete: ArtifactClient["delete"] = async (name) => {
    const stored = this.#names.stored(name);
    // Listed, since one that is still being made cannot be got, and another session's may differ in case only.
    const own = (await this.list()).some((repo) => repo.name.toLowerCase() === name.toLowerCase());
    return own && this.#ask(name, () => this.#binding.delete(stored));
  };

  createToken: ArtifactClient["createToken"] = async (name, scope, ttl) =>
    this.#with(name, (repo) => repo.createToken(scope, ttl));

  listTokens: ArtifactClient["listTokens"] = async (name) => this.#with(name, (repo) => repo.listTokens());

  getToken: ArtifactClient["getToken"] = async (name, id) => {
    const { tokens } = await this.listTokens(name);
    const token = tokens.find((each) => each.id === id);
    if (token === undefined) throw new NotFoundError(`The repository ${name} has no token ${id}.`);
    return token;
  };

  revokeToken: ArtifactClient["revokeToken"] = async (name, tokenOrId) =>
    this.#with(name, (repo) => repo.revokeToken(tokenOrId));

  cli(input: ArtifactsCLIInput): Promise<ArtifactsCLIResult> {
    return runArtifactsCLI(this, input);
  }

  /** Asks with a repository of this session's. */
  #with<T>(name: string, ask: (repo: ArtifactsRepo, info: ArtifactsRepoInfo) => Promise<T>): Promise<T> {
    return this.#ask(name, async (stored) => {
      using repo = await this.#binding.get(stored);
      const info = await repo.info();
      if (this.#names.own(info.name) === undefined) throw new NotFoundError(`There is no repository ${name}.`);
      return ask(repo, info);
    });
  }

  async #ask<T>(name: string, ask: (stored: string) => Promise<T>): Promise<T> {
    const stored = this.#names.stored(name);
    try {
      return await ask(stored);
    } catch (error) {
      throw artifactError(error, name);
    }
  }
}

/** What the binding gave, under the caller's own name. It may be a stub's result, which is not to be kept. */
function named<T extends { name: string }>(given: T, name: string): T {
  return { ...given, name };
}

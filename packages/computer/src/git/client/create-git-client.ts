/** Makes what gives a workspace its git. */

import { type SQLiteWorkspaceProvider, SqlStore } from "@cloudflare/dofs";
import { z } from "zod";
import { checkOptions, functionOption } from "../../options/check-options.ts";
import type { Fetch } from "../remote/network.ts";
import type { GitIdentity } from "../repository/identity.ts";
import type { GitClient } from "./git-client.ts";
import { WorkspaceGit } from "./workspace-git.ts";

/** What isomorphic-git takes as its `fs`. */
export interface IsomorphicGitFSClient {
  promises: object;
}

export interface CreateGitClientOptions {
  /**
   * Taken so that programs of 0.8.0 go on working, and not called: git works on the store of the files itself, of which every call is
   * synchronous.
   */
  adapter?: ((provider: SQLiteWorkspaceProvider) => Promise<IsomorphicGitFSClient>) | undefined;
  /** `false` keeps git from the network, command lines too; a function is used in place of `fetch`. Default `fetch`. */
  network?: false | Fetch | undefined;
}

/** A workspace as git needs it. */
export interface WorkspaceLike {
  provider(): SQLiteWorkspaceProvider;
}

export interface WorkspaceGitClientOptions {
  ws: WorkspaceLike;
  /** Who commits where nobody says who. */
  defaultIdentity?: GitIdentity | undefined;
}

export type GitClientFactory = (options: WorkspaceGitClientOptions) => GitClient;

const createOptions: z.ZodObject = z.strictObject({
  adapter: functionOption().optional(),
  network: z.union([z.literal(false), functionOption()]).optional(),
});

/**
 * Gives a workspace its git.
 *
 * @example
 * new Workspace({ storage: ctx.storage, git: createGitClient(), defaultGitIdentity: { name: "Agent", email: "agent@example.org" } })
 */
export function createGitClient(options: CreateGitClientOptions = {}): GitClientFactory {
  checkOptions(createOptions, options, "createGitClient");
  const { network } = options;
  const allowed: Fetch | undefined = network === false ? undefined : (network ?? ((request) => fetch(request)));
  return ({ ws, defaultIdentity }) => {
    const provider = ws.provider();
    return new WorkspaceGit({
      store: SqlStore.of(provider.db),
      fetch: allowed,
      identity: defaultIdentity,
      now: provider.now,
    });
  };
}

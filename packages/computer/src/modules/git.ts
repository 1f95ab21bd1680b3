/** `ws:git`: scripts work with the git repositories in their files. */

import { Buffer } from "node:buffer";
import { z } from "zod";
import type {
  WorkspaceModuleCallContext,
  WorkspaceModuleFactory,
  WorkspaceModuleFunction,
} from "../backends/worker-javascript/module-types.ts";
import type { GitClient } from "../git/client/git-client.ts";
import { WorkspaceGit } from "../git/client/workspace-git.ts";
import { GitError } from "../git/git-error.ts";
import { checkOptions } from "../options/check-options.ts";
import type { WorkspaceRuntimeValue } from "../runtime/event.ts";

export interface GitModuleOptions {
  /** Whether scripts may clone, fetch, pull and push over the network. Default false. */
  readonly allowNetwork?: boolean | undefined;
}

const options: z.ZodObject = z.strictObject({ allowNetwork: z.boolean().optional() });

const METHODS = [
  "clone",
  "diff",
  "diffSummary",
  "init",
  "status",
  "add",
  "rm",
  "commit",
  "log",
  "show",
  "revParse",
  "repoRoot",
  "currentBranch",
  "lsFiles",
  "lsTree",
  "branch",
  "branchDelete",
  "branchList",
  "tag",
  "tagDelete",
  "tagList",
  "checkout",
  "fetch",
  "push",
  "pull",
  "merge",
  "remoteAdd",
  "remoteRemove",
  "remoteList",
  "hashObject",
  "catFile",
  "updateRef",
  "configGet",
  "configSet",
  "stashPush",
  "stashList",
  "stashPop",
  "reset",
  "clean",
  "cli",
] as const satisfies readonly (keyof GitClient)[];

/**
 * A host module with the methods of `GitClient`, each of which takes its options; `dir` is relative to the run's working directory. It
 * stays in the directory that scripts are confined to, changes nothing where they may only read, and has no network unless allowed.
 *
 * @example
 * new WorkerJavaScriptBackend({ loader: env.LOADER, modules: { "ws:git": createGitModule() } });
 * // In a script: import { status } from "ws:git"; export default () => status({ dir: "repo" });
 */
export function createGitModule(given: GitModuleOptions = {}): WorkspaceModuleFactory {
  checkOptions(options, given, "createGitModule");
  const factory: WorkspaceModuleFactory = ({ git }) =>
    Object.fromEntries(METHODS.map((name) => [name, functionOf(git, name, given.allowNetwork === true)]));
  return Object.assign(factory, {
    description:
      "git over the files: status({ dir }), add({ dir, paths }), commit({ dir, message }), log({ dir }), cli({ argv, cwd }), …",
  });
}

function functionOf(git: GitClient, name: (typeof METHODS)[number], network: boolean): WorkspaceModuleFunction {
  return async (args, context) => {
    const [first = {}, ...more] = args;
    if (more.length > 0 || !isObject(first))
      throw new TypeError(`${name}(options) of ws:git takes one object of options`);
    const client = confined(git, context, network);
    const place = name === "cli" ? "cwd" : "dir";
    const dir = await context.resolvePath(String(first[place] ?? "."), { allowMissing: true });
    const call = client[name] as (input: unknown) => Promise<unknown>;
    const result = await call.call(client, { ...first, [place]: dir });
    return result === undefined ? null : carried(result);
  };
}

/** A client that cannot leave the root of scripts. One of the user's own is trusted to keep to `dir`, without the network. */
function confined(git: GitClient, { root, access }: WorkspaceModuleCallContext, network: boolean): GitClient {
  if (git instanceof WorkspaceGit) return git.confined({ root, readOnly: access === "read", network });
  throw new GitError("EUNSUPPORTED", "unsupported: ws:git over a git client that createGitClient did not make");
}

function isObject(value: WorkspaceRuntimeValue): value is { [key: string]: WorkspaceRuntimeValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What JSON can carry: bytes as text in Base64. */
function carried(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("bytes" in value) || !(value.bytes instanceof Uint8Array))
    return value;
  const { bytes, ...rest } = value;
  return { ...rest, base64: Buffer.from(bytes).toString("base64"), text: new TextDecoder().decode(bytes) };
}

/** `ws:artifacts`: scripts make, find and share the git repositories of a workspace. */

import { z } from "zod";
import type { ArtifactClient } from "../artifacts/artifact-client.ts";
import { ArtifactError } from "../artifacts/artifact-error.ts";
import type { WorkspaceModuleFactory, WorkspaceModuleFunction } from "../backends/worker-javascript/module-types.ts";
import { checkOptions } from "../options/check-options.ts";

export interface ArtifactsModuleOptions {
  /** Whether repositories may be filled from the network: `importArtifact` is refused without. Default false. */
  readonly allowNetwork?: boolean | undefined;
}

const options: z.ZodObject = z.strictObject({ allowNetwork: z.boolean().optional() });

const name = z.string();
const scope = z.enum(["read", "write"]);
const createOptions = z.strictObject({
  readOnly: z.boolean().optional(),
  description: z.string().optional(),
  setDefaultBranch: z.string().optional(),
});
const importSource = z.strictObject({
  url: z.string(),
  branch: z.string().optional(),
  depth: z.int().positive().optional(),
});
const importOptions = z.strictObject({ description: z.string().optional(), readOnly: z.boolean().optional() });

/**
 * A host module with `create`, `get`, `list`, `importArtifact`, `deleteArtifact`, `createToken`, `listTokens`, `getToken` and
 * `revokeToken`, each as in `ArtifactClient`.
 *
 * @example
 * new WorkerJavaScriptBackend({ loader: env.LOADER, modules: { "ws:artifacts": createArtifactsModule() } });
 * // In a script: import { create } from "ws:artifacts"; export default () => create("site");
 */
export function createArtifactsModule(given: ArtifactsModuleOptions = {}): WorkspaceModuleFactory {
  checkOptions(options, given, "createArtifactsModule");
  const factory: WorkspaceModuleFactory = ({ artifacts }) => functionsOf(artifacts, given.allowNetwork === true);
  return Object.assign(factory, {
    description:
      "git repositories that outlive the workspace: create(name), get(name), list(), createToken(name, scope)",
  });
}

function functionsOf(artifacts: ArtifactClient, network: boolean): Record<string, WorkspaceModuleFunction> {
  return {
    create: taking("create(name, options?)", [name], [createOptions], (repo, opts) => artifacts.create(repo, opts)),
    get: taking("get(name)", [name], [], (repo) => artifacts.get(repo)),
    list: taking("list()", [], [], () => artifacts.list()),
    importArtifact: taking(
      "importArtifact(name, { url }, options?)",
      [name, importSource],
      [importOptions],
      async (repo, source, opts) => {
        if (network) return artifacts.import(repo, source, opts);
        throw new ArtifactError(
          "NETWORK_REFUSED",
          "importArtifact has no network here: make the module with createArtifactsModule({ allowNetwork: true }).",
        );
      },
    ),
    deleteArtifact: taking("deleteArtifact(name)", [name], [], (repo) => artifacts.delete(repo)),
    createToken: taking("createToken(name, scope?, seconds?)", [name], [scope, z.int()], (repo, as, ttl) =>
      artifacts.createToken(repo, as, ttl),
    ),
    listTokens: taking("listTokens(name)", [name], [], (repo) => artifacts.listTokens(repo)),
    getToken: taking("getToken(name, id)", [name, z.string()], [], (repo, id) => artifacts.getToken(repo, id)),
    revokeToken: taking("revokeToken(name, tokenOrId)", [name, z.string()], [], (repo, token) =>
      artifacts.revokeToken(repo, token),
    ),
  };
}

type Values<T extends readonly z.ZodType[]> = { [K in keyof T]: z.output<T[K]> };
type Optional<T extends readonly z.ZodType[]> = { [K in keyof T]?: z.output<T[K]> };

/** A function that checks what it is called with; `TypeError` shows how it is called. */
function taking<const Needed extends readonly z.ZodType[], const Rest extends readonly z.ZodType[]>(
  form: string,
  needed: Needed,
  rest: Rest,
  run: (...args: [...Values<Needed>, ...Optional<Rest>]) => Promise<unknown>,
): WorkspaceModuleFunction {
  const schemas = [...needed, ...rest.map((schema) => schema.nullish())];
  return async (args) => {
    const padded = schemas.map((_, index) => args[index]);
    const asked = args.length > schemas.length ? undefined : z.tuple(schemas as [z.ZodType]).safeParse(padded);
    if (asked?.success !== true) {
      throw new TypeError(
        `${form} of ws:artifacts ${asked === undefined ? "has fewer arguments" : z.prettifyError(asked.error)}`,
      );
    }
    return run(...(asked.data.map((value) => value ?? undefined) as [...Values<Needed>, ...Optional<Rest>]));
  };
}

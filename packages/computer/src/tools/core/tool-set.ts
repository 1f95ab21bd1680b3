/** All the tools over one workspace. */

import { ComputerError, WORKSPACE_ROOT } from "@cloudflare/computer-rpc";
import { z } from "zod";
import { WorkspaceFileStore } from "../../files/file-store.ts";
import { checkOptions, objectWith } from "../../options/check-options.ts";
import type { AnyToolDefinition } from "./definition.ts";
import { defineDelete } from "./delete.ts";
import { defineEdit, type EditToolOptions } from "./edit.ts";
import { defineExec } from "./exec.ts";
import type { ExecBackends, ExecToolOptions, ExecWorkspaceLike } from "./exec-types.ts";
import { defineFind, type FindWorkspaceLike } from "./find.ts";
import { defineGrep, type GrepWorkspaceLike } from "./grep.ts";
import { defineList, type ListWorkspaceLike } from "./ls.ts";
import { definePublish, type PublishWorkspaceLike } from "./publish.ts";
import { defineRead, type ReadToolOptions } from "./read.ts";
import { defineWrite, type WriteToolOptions } from "./write.ts";

/** The files of a workspace or its client, as the tools use them. */
export interface WorkspaceLike {
  fs: {
    stat(path: string): Promise<{ size: number; mtime: number; mode: number; isFile: boolean; isDirectory: boolean }>;
    readFile(path: string, options?: { byteOffset?: number; byteLength?: number }): Promise<ReadableStream<Uint8Array>>;
    writeFile(path: string, content: Uint8Array, options?: { mode?: number }): Promise<void>;
    mkdir(path: string, options?: { recursive?: boolean }): Promise<unknown>;
    rm(path: string, options?: { recursive?: boolean; force?: boolean }): Promise<void>;
  } & FindWorkspaceLike["fs"] &
    GrepWorkspaceLike["fs"] &
    ListWorkspaceLike["fs"];
}

/** How `exec` was set up before there was the option `exec`. */
export interface LegacyShellOptions {
  backends: ExecBackends;
  /** The first unless given. */
  defaultBackend?: string | undefined;
  now?: (() => number) | undefined;
  maxLines?: number | undefined;
  maxBytes?: number | undefined;
  streamMaxBytes?: number | undefined;
}

export interface CreateToolsOptions {
  workspace: WorkspaceLike & Partial<ExecWorkspaceLike> & Partial<PublishWorkspaceLike>;
  /** Only tools that change nothing: read, ls, find and grep. */
  readonly?: boolean | undefined;
  /** Where relative paths begin, and where searches do unless told otherwise: `/workspace` unless given. It confines nothing. */
  root?: string | undefined;
  /** Whether there is `publish`; unless given, where the workspace is known to have assets, which of a client's is not. */
  assets?: boolean | undefined;
  read?: Omit<ReadToolOptions, "store"> | undefined;
  write?: Omit<WriteToolOptions, "store"> | undefined;
  edit?: Omit<EditToolOptions, "store"> | undefined;
  /** The backends of `exec`, the first being the default; all of the workspace unless given. */
  exec?: ExecBackends | undefined;
  execOutput?: Pick<ExecToolOptions, "maxLines" | "maxBytes"> | undefined;
  /** The former way to give `exec`. */
  shell?: LegacyShellOptions | undefined;
}

const object = z.record(z.string(), z.unknown()).optional();

const toolSetOptions = z.strictObject({
  workspace: objectWith(),
  readonly: z.boolean().optional(),
  root: z.string().startsWith("/", "it must be an absolute path").optional(),
  assets: z.boolean().optional(),
  read: object,
  write: object,
  edit: object,
  exec: object,
  execOutput: object,
  shell: object,
});

/** The tools, in the order in which models are told of them. `EOPTION` for options that there are not, or that the workspace lacks. */
export function defineTools(options: CreateToolsOptions): readonly AnyToolDefinition[] {
  checkOptions(toolSetOptions, options, "The set of tools");
  const { workspace, root = WORKSPACE_ROOT } = options;
  const store = new WorkspaceFileStore(workspace);
  const reading = [
    defineRead({ ...options.read, store }, root),
    defineList({ workspace }, root),
    defineFind({ workspace }, root),
    defineGrep({ workspace }, root),
  ];
  if (options.readonly === true) return reading;
  return [
    ...reading,
    defineWrite({ ...options.write, store }, root),
    defineEdit({ ...options.edit, store }, root),
    defineDelete({ store }, root),
    ...execOf(options, root),
    ...publishOf(options, root),
  ];
}

function execOf(options: CreateToolsOptions, root: string): AnyToolDefinition[] {
  const { exec, shell, execOutput } = options;
  if (exec !== undefined && shell !== undefined) {
    throw new ComputerError("EOPTION", "The set of tools takes exec or shell, which is its former name, not both.");
  }
  const { runtime } = options.workspace;
  if (runtime === undefined) {
    if (exec === undefined && shell === undefined) return [];
    throw new ComputerError("EOPTION", "The set of tools cannot have exec: the workspace has no runtime.");
  }
  const { backends, defaultBackend, ...limits } = shell ?? { backends: exec };
  const workspace = { runtime };
  const definition = defineExec(
    { ...limits, ...execOutput, workspace, backends: ordered(backends, defaultBackend) },
    root,
  );
  const none = backends === undefined && isListOfNone(runtime);
  return none ? [] : [definition];
}

/** The default in front. */
function ordered(backends: ExecBackends | undefined, first: string | undefined): ExecBackends | undefined {
  if (backends === undefined || first === undefined) return backends;
  const options = backends[first];
  if (options === undefined) {
    throw new ComputerError("EOPTION", `shell.defaultBackend is ${first}, which is not among shell.backends.`);
  }
  return { [first]: options, ...backends };
}

function isListOfNone(runtime: ExecWorkspaceLike["runtime"]): boolean {
  try {
    return runtime.backends?.().length === 0;
  } catch {
    // From another isolate the list can only be awaited.
    return false;
  }
}

function publishOf(options: CreateToolsOptions, root: string): AnyToolDefinition[] {
  const { assets, sessionId = "" } = options.workspace;
  const wanted = options.assets ?? (assets !== undefined && "share" in assets);
  if (!wanted) return [];
  if (assets !== undefined) return [definePublish({ workspace: { sessionId, assets } }, root)];
  throw new ComputerError("EOPTION", "The set of tools cannot have publish: the workspace has no assets.");
}

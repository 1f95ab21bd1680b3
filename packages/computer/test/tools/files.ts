/** Files of a workspace on this machine, for tools that need no computer. */

import { createHash } from "node:crypto";
import { Database, SqlStore, WorkspaceFilesystem } from "@cloudflare/dofs";
import { openNodeStorage } from "@cloudflare/dofs/node";
import { WorkspaceFileStore } from "../../src/files/file-store.ts";
import type { ToolDefinition, ToolFailure } from "../../src/tools/core/index.ts";

export interface Files {
  readonly workspace: { readonly fs: WorkspaceFilesystem };
  readonly fs: WorkspaceFilesystem;
  readonly store: WorkspaceFileStore;
}

/** An empty workspace with its root. */
export async function files(contents: Readonly<Record<string, string | Uint8Array>> = {}): Promise<Files> {
  const db = new Database(openNodeStorage());
  SqlStore.open(db, { sha256: (bytes) => createHash("sha256").update(bytes).digest(), now: Date.now });
  const fs = new WorkspaceFilesystem(db);
  const store = new WorkspaceFileStore({ fs });
  await fs.mkdir("/workspace", { recursive: true });
  for (const [path, content] of Object.entries(contents)) {
    await store.write(`/workspace/${path}`, typeof content === "string" ? new TextEncoder().encode(content) : content);
  }
  return { workspace: { fs }, fs, store };
}

/** What a tool answers to what a model sent, as text. */
export async function told<Input, Output extends object>(
  tool: ToolDefinition<Input, Output>,
  args: unknown,
): Promise<string> {
  return tool
    .describe(await last(tool.execute(tool.inputSchema.parse(args))))
    .map((part) => (part.type === "text" ? part.text : `[${part.mediaType}]`))
    .join("\n");
}

/** What a tool gives where it does not fail. */
export type Success<Output> = Exclude<Output, ToolFailure>;

/** A tool's output for what a model sent. */
export async function output<Input, Output extends object>(
  tool: ToolDefinition<Input, Output>,
  args: unknown,
): Promise<Output> {
  return last(tool.execute(tool.inputSchema.parse(args)));
}

async function last<T>(outputs: Promise<T> | AsyncGenerator<T>): Promise<T> {
  if (outputs instanceof Promise) return outputs;
  let value: T | undefined;
  for await (const each of outputs) value = each;
  return value as T;
}

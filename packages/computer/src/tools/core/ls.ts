/** `ls`: what is in a directory. */

import { WORKSPACE_ROOT } from "@cloudflare/computer-rpc";
import { z } from "zod";
import { defineTool } from "./define-tool.ts";
import { isFailure, type ToolContent, type ToolDefinition, type ToolFailure, text } from "./definition.ts";
import { onePage } from "./page.ts";
import { PAGE_ENTRIES, PAGE_ENTRIES_MAX } from "./tool-limits.ts";
import { toolPath } from "./tool-path.ts";

/** The part of a workspace or its client that is used. */
export interface ListWorkspaceLike {
  fs: {
    readdir(path: string, options?: { limit?: number; offset?: number }): Promise<DirectoryEntry[]>;
  };
}

interface DirectoryEntry {
  name: string;
  size: number;
  mtime: number;
  isFile: boolean;
  isDirectory: boolean;
  isSymbolicLink: boolean;
}

export interface ListToolOptions {
  workspace: ListWorkspaceLike;
}

export interface ListInput {
  path: string;
  limit?: number | undefined;
  offset?: number | undefined;
}

const fields = z.object({
  path: z.string().min(1).describe("The directory: absolute, or from the workspace's root."),
  limit: z.int().min(1).max(PAGE_ENTRIES_MAX).optional().describe(`Entries at most, ${PAGE_ENTRIES} unless given.`),
  offset: z.int().min(0).optional().describe("Entries left out at the front."),
});

export interface ListEntry {
  readonly name: string;
  readonly type: "file" | "dir" | "symlink";
  /** In bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly mtime: number;
}

export type ListOutput =
  | { readonly path: string; readonly entries: readonly ListEntry[]; readonly nextOffset?: number | undefined }
  | ToolFailure;

export function defineList(
  options: ListToolOptions,
  root: string = WORKSPACE_ROOT,
): ToolDefinition<ListInput, ListOutput> {
  const { fs } = options.workspace;
  return defineTool<ListInput, ListOutput>({
    tool: "ls",
    description:
      "Lists a directory in order of name: type, size in bytes, and time of change. It does not go into directories.",
    readOnly: true,
    fields,
    bare: "path",
    aliases: { directory: "path", dir: "path" },
    reshape: (given) => (given.path === undefined || given.path === "" ? { ...given, path: root } : given),
    example: { path: root },
    describe,
    run: async ({ path: given, limit = PAGE_ENTRIES, offset = 0 }) => {
      const path = toolPath(given, root);
      const page = onePage(await fs.readdir(path, { limit: limit + 1, offset }), limit, offset);
      return { path, entries: page.items.map(entry), ...page.next };
    },
  });
}

function entry({ name, size, mtime, isDirectory, isSymbolicLink }: DirectoryEntry): ListEntry {
  return { name, type: isSymbolicLink ? "symlink" : isDirectory ? "dir" : "file", size, mtime };
}

function describe(output: ListOutput): readonly ToolContent[] {
  if (isFailure(output)) return text(output.error);
  if (output.entries.length === 0)
    return text(`${output.path} has no entries${output.nextOffset === undefined ? "" : " there"}.`);
  const lines = output.entries.map(({ name, type, size, mtime }) => {
    const mark = { dir: "/", symlink: "@", file: "" }[type];
    return `${new Date(mtime).toISOString().slice(0, 19)}Z ${String(size).padStart(9)} ${name}${mark}`;
  });
  if (output.nextOffset !== undefined) lines.push(`[There is more: go on with offset=${output.nextOffset}.]`);
  return text(lines.join("\n"));
}

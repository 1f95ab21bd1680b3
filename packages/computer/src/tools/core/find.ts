/** `find`: files and directories by a glob. */

import { WORKSPACE_ROOT } from "@cloudflare/computer-rpc";
import { z } from "zod";
import { defineTool } from "./define-tool.ts";
import { isFailure, type ToolContent, type ToolDefinition, type ToolFailure, text } from "./definition.ts";
import { onePage } from "./page.ts";
import { PAGE_ENTRIES, PAGE_ENTRIES_MAX } from "./tool-limits.ts";
import { toolPath } from "./tool-path.ts";

export interface FoundEntry {
  path: string;
  type: "file" | "dir";
}

/** The part of a workspace or its client that is used. */
export interface FindWorkspaceLike {
  fs: {
    find(
      directory: string,
      pattern?: string,
      options?: { limit?: number; offset?: number; exclude?: string[] },
    ): Promise<FoundEntry[]>;
  };
}

export interface FindToolOptions {
  workspace: FindWorkspaceLike;
}

export interface FindInput {
  pattern: string;
  path?: string | undefined;
  limit?: number | undefined;
  offset?: number | undefined;
}

const fields = z.object({
  pattern: z
    .string()
    .min(1)
    .describe(
      "A glob of paths from the directory on: `*.ts` is in it, `**/*.ts` at any depth; {a,b} and [ab] as in bash.",
    ),
  path: z.string().min(1).optional().describe("The directory, the workspace's root unless given."),
  limit: z.int().min(1).max(PAGE_ENTRIES_MAX).optional().describe(`Paths at most, ${PAGE_ENTRIES} unless given.`),
  offset: z.int().min(0).optional().describe("Paths left out at the front."),
});

export type FindOutput =
  | {
      readonly path: string;
      readonly pattern: string;
      readonly entries: readonly FoundEntry[];
      readonly nextOffset?: number | undefined;
    }
  | ToolFailure;

export function defineFind(
  options: FindToolOptions,
  root: string = WORKSPACE_ROOT,
): ToolDefinition<FindInput, FindOutput> {
  const { fs } = options.workspace;
  return defineTool<FindInput, FindOutput>({
    tool: "find",
    description: "Finds files and directories under a directory by a glob of their paths. Hidden ones are found too.",
    readOnly: true,
    fields,
    bare: "pattern",
    aliases: { glob: "pattern", query: "pattern", directory: "path", dir: "path" },
    example: { pattern: "**/*.ts", path: root },
    describe,
    run: async ({ path: given = root, pattern, limit = PAGE_ENTRIES, offset = 0 }) => {
      const path = toolPath(given, root);
      const found = await fs.find(path, relative(pattern, path), { limit: limit + 1, offset });
      const page = onePage(found, limit, offset);
      return { path, pattern, entries: page.items.map(({ path, type }) => ({ path, type })), ...page.next };
    },
  });
}

/** The glob from the directory on, where it was given with the directory before it. */
function relative(pattern: string, directory: string): string {
  const above = directory.replace(/\/*$/, "/");
  return pattern.startsWith(above) && pattern !== above ? pattern.slice(above.length) : pattern.replace(/^\.?\/+/, "");
}

function describe(output: FindOutput): readonly ToolContent[] {
  if (isFailure(output)) return text(output.error);
  if (output.entries.length === 0) return text(`Nothing under ${output.path} has a path like ${output.pattern}.`);
  const lines = output.entries.map(({ path, type }) => (type === "dir" ? `${path}/` : path));
  if (output.nextOffset !== undefined) lines.push(`[There is more: go on with offset=${output.nextOffset}.]`);
  return text(lines.join("\n"));
}

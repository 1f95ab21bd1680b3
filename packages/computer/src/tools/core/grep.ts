/** `grep`: the lines of files that match. */

import { WORKSPACE_ROOT } from "@cloudflare/computer-rpc";
import { z } from "zod";
import { defineTool } from "./define-tool.ts";
import { isFailure, type ToolContent, type ToolDefinition, type ToolFailure, text } from "./definition.ts";
import type { FindWorkspaceLike } from "./find.ts";
import { onePage } from "./page.ts";
import { PAGE_ENTRIES, PAGE_ENTRIES_MAX, SEARCH_CONTEXT_MAX, SEARCH_TEXT } from "./tool-limits.ts";
import { toolPath } from "./tool-path.ts";

export interface GrepContextLine {
  line: number;
  text: string;
  isMatch: boolean;
}

/** A line that matches. Of a long one `text` is the part around the match, `truncated` is set, and `column` says where it begins. */
export interface GrepMatch {
  path: string;
  line: number;
  text: string;
  context?: GrepContextLine[] | undefined;
  truncated?: true | undefined;
  column?: number | undefined;
}

export interface GrepOptions {
  regex?: boolean | undefined;
  ignoreCase?: boolean | undefined;
  context?: number | undefined;
  limit?: number | undefined;
  offset?: number | undefined;
  include?: string | undefined;
  exclude?: string[] | undefined;
}

/** The part of a workspace or its client that is used. With `find` too, a search of no files is told from one without matches. */
export interface GrepWorkspaceLike {
  fs: { grep(pattern: string, path: string, options?: GrepOptions): Promise<GrepMatch[]> };
}

export interface GrepToolOptions {
  workspace: GrepWorkspaceLike;
}

export interface GrepInput {
  query: string;
  path?: string | undefined;
  include?: string | undefined;
  regex?: boolean | undefined;
  ignoreCase?: boolean | undefined;
  context?: number | undefined;
  limit?: number | undefined;
  offset?: number | undefined;
}

const fields = z.object({
  query: z
    .string()
    .min(1)
    .describe("What to look for: text as it stands, or with `regex` an expression in RE2 syntax."),
  path: z.string().min(1).optional().describe("A file or directory, the workspace's root unless given."),
  include: z.string().min(1).optional().describe("A glob of the files to search, e.g. `*.ts` or `src/**/*.ts`."),
  regex: z.boolean().optional(),
  ignoreCase: z.boolean().optional(),
  context: z.int().min(0).max(SEARCH_CONTEXT_MAX).optional().describe("Lines to show around each match."),
  limit: z.int().min(1).max(PAGE_ENTRIES_MAX).optional().describe(`Lines at most, ${PAGE_ENTRIES} unless given.`),
  offset: z.int().min(0).optional().describe("Matching lines left out at the front."),
});

export type GrepOutput =
  | {
      readonly path: string;
      readonly query: string;
      readonly matches: readonly GrepMatch[];
      readonly nextOffset?: number | undefined;
      /** 0 where there was no file to search; left out otherwise. */
      readonly filesSearched?: 0 | undefined;
    }
  | ToolFailure;

export function defineGrep(
  options: GrepToolOptions,
  root: string = WORKSPACE_ROOT,
): ToolDefinition<GrepInput, GrepOutput> {
  const { fs } = options.workspace;
  return defineTool<GrepInput, GrepOutput>({
    tool: "grep",
    description:
      "Searches the text of files for lines. Binary files are left out. A long line is shown in part, around the match.",
    readOnly: true,
    fields,
    bare: "query",
    aliases: {
      pattern: "query",
      search: "query",
      text: "query",
      glob: "include",
      directory: "path",
      ignore_case: "ignoreCase",
      case_insensitive: "ignoreCase",
    },
    example: { query: "TODO", path: root, include: "*.ts" },
    describe,
    run: async ({ path: given = root, query, limit = PAGE_ENTRIES, offset = 0, ...rest }) => {
      const path = toolPath(given, root);
      const found = await fs.grep(query, path, { ...rest, limit: limit + 1, offset });
      const page = onePage(found, Math.min(limit, fitting(found)), offset);
      if (found.length > 0 || offset > 0) return { path, query, matches: page.items, ...page.next };
      return { path, query, matches: [], ...(await nothingSearched(fs, path, rest.include)) };
    },
  });
}

/** How many of the matches fit into one result, one at least. */
function fitting(matches: readonly GrepMatch[]): number {
  let held = 0;
  const over = matches.findIndex((match) => {
    const lines = match.context ?? [match];
    held += match.path.length + lines.reduce((sum, line) => sum + line.text.length + 12, 0);
    return held > SEARCH_TEXT;
  });
  return over === -1 ? matches.length : Math.max(over, 1);
}

async function nothingSearched(
  fs: GrepWorkspaceLike["fs"] & Partial<FindWorkspaceLike["fs"]>,
  path: string,
  include: string | undefined,
): Promise<{ filesSearched?: 0 }> {
  if (typeof fs.find !== "function") return {};
  const glob = include === undefined ? "**/*" : include.includes("/") ? include : `**/${include}`;
  for (let offset = 0; ; offset += PAGE_ENTRIES) {
    // A path that is a file was searched, or left out by its name.
    const page = await fs.find(path, glob, { limit: PAGE_ENTRIES, offset }).catch(() => undefined);
    if (page === undefined) return include === undefined ? {} : notThatFile(fs, path, include);
    if (page.some(({ type }) => type === "file")) return {};
    if (page.length < PAGE_ENTRIES) return { filesSearched: 0 };
  }
}

async function notThatFile(fs: GrepWorkspaceLike["fs"], path: string, include: string): Promise<{ filesSearched?: 0 }> {
  // Every text has an empty expression's match on its first line, so that no match at all means that the file was not looked at.
  const lines = await fs.grep("^", path, { regex: true, include, limit: 1 });
  return lines.length === 0 ? { filesSearched: 0 } : {};
}

function describe(output: GrepOutput): readonly ToolContent[] {
  if (isFailure(output)) return text(output.error);
  const { path, query, matches, nextOffset, filesSearched } = output;
  if (filesSearched === 0) return text(`0 files searched: no file under ${path} fits. Check path and include.`);
  if (matches.length === 0) return text(`0 matches for ${JSON.stringify(query)} in ${path}.`);
  const lines = matches.map((match) => (match.context === undefined ? matchLine(match) : matchWithContext(match)));
  if (nextOffset !== undefined) lines.push(`[There is more: go on with offset=${nextOffset}.]`);
  return text(lines.join(matches.some(({ context }) => context !== undefined) ? "\n--\n" : "\n"));
}

function matchLine({ path, line, text: shown, truncated, column }: GrepMatch): string {
  const where = truncated === undefined ? "" : ` [part of a long line, the match at column ${column}]`;
  return `${path}:${line}: ${shown}${where}`;
}

function matchWithContext(match: GrepMatch): string {
  const lines = (match.context ?? []).map((line) => `${line.line}${line.isMatch ? ":" : "-"} ${line.text}`);
  return [match.path, ...lines].join("\n");
}

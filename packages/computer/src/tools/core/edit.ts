/** `edit`: parts of a text file give way to others, all of them or none. */

import { WORKSPACE_ROOT } from "@cloudflare/computer-rpc";
import { z } from "zod";
import type { FileStore } from "../../files/file-store.ts";
import { defineTool } from "./define-tool.ts";
import { isFailure, type ToolContent, type ToolDefinition, type ToolFailure, text } from "./definition.ts";
import { locateEdits } from "./locate-edits.ts";
import { withPathLock } from "./path-locks.ts";
import { TextFile } from "./text-file.ts";
import { DIFF_BYTES, DIFF_LINES, WRITE_BYTES } from "./tool-limits.ts";
import { toolPath } from "./tool-path.ts";
import { unifiedDiff } from "./unified-diff.ts";

export interface EditToolOptions {
  store: FileStore;
  /** Bytes of the file before and after at most, 2 MiB unless given. */
  maxBytes?: number | undefined;
  /** Lines of the diff in the result, 400 unless given. */
  maxDiffLines?: number | undefined;
  /** Length of the diff in the result, 32 KiB unless given. */
  maxDiffBytes?: number | undefined;
}

export interface EditInput {
  path: string;
  edits: { oldText: string; newText: string }[];
}

const fields = z.object({
  path: z.string().min(1).describe("The file: absolute, or from the workspace's root."),
  edits: z
    .array(
      z.object({
        oldText: z.string().describe("The text to replace, as it is in the file; it must be there once."),
        newText: z.string().describe("What comes in its place."),
      }),
    )
    .min(1)
    .describe("All refer to the file as it is before the call, and may not overlap."),
});

export type EditOutput =
  | { readonly path: string; readonly edits: number; readonly diff: string; readonly firstChangedLine: number }
  | ToolFailure;

const NAMES: Readonly<Record<string, string>> = {
  old_text: "oldText",
  old_string: "oldText",
  oldString: "oldText",
  new_text: "newText",
  new_string: "newText",
  newString: "newText",
};

export function defineEdit(
  options: EditToolOptions,
  root: string = WORKSPACE_ROOT,
): ToolDefinition<EditInput, EditOutput> {
  const { store, maxBytes = WRITE_BYTES } = options;
  const limits = { maxLines: options.maxDiffLines ?? DIFF_LINES, maxLength: options.maxDiffBytes ?? DIFF_BYTES };
  return defineTool<EditInput, EditOutput>({
    tool: "edit",
    description:
      "Replaces parts of a text file, all of them or none. Each oldText must be in the file once; give lines around it where it is not.",
    readOnly: false,
    fields,
    aliases: { ...NAMES, file_path: "path", filePath: "path", file: "path", filename: "path" },
    reshape,
    example: { path: `${root}/README.md`, edits: [{ oldText: "Hello", newText: "Good morning" }] },
    describe,
    run: ({ path: given, edits }) => {
      const path = toolPath(given, root);
      return withPathLock(store.lockIdentity ?? store, path, async () => {
        const stat = await store.stat(path);
        if (stat !== null && stat.size > maxBytes) return tooLong(path, stat.size, maxBytes);
        const bytes = await store.readAll(path);
        if (bytes === null) return { error: `ENOENT: there is no ${path}. To make it use write.` };
        const file = TextFile.read(bytes);
        if (file === undefined)
          return { error: `${path} is no UTF-8 text, and was not changed. Change it with a command.` };
        const plain = edits.map(({ oldText, newText }) => ({
          oldText: file.plain(oldText),
          newText: file.plain(newText),
        }));
        const located = locateEdits(file.text, plain);
        if ("error" in located) return { error: `${path}: ${located.error}` };
        const changed = file.replaced(located.replacements);
        if (changed.length > maxBytes) return tooLong(path, changed.length, maxBytes);
        await store.write(path, changed);
        return { path, edits: edits.length, ...unifiedDiff(path, file.text, located.replacements, limits) };
      });
    },
  });
}

function tooLong(path: string, length: number, max: number): ToolFailure {
  return {
    error: `${path} has or would have ${length} bytes, and edit takes at most ${max}. Nothing was changed. Change it with a command.`,
  };
}

/** One edit beside the path, or one edit for the list; other names in each. */
function reshape(given: Record<string, unknown>): Record<string, unknown> {
  const { oldText, newText, edits, ...rest } = given;
  if (edits === undefined && oldText !== undefined) return { ...rest, edits: [{ oldText, newText }] };
  if (!Array.isArray(edits)) return given;
  return { ...rest, edits: edits.map(renamed) };
}

function renamed(edit: unknown): unknown {
  if (typeof edit !== "object" || edit === null) return edit;
  return Object.fromEntries(Object.entries(edit).map(([name, value]) => [NAMES[name] ?? name, value]));
}

function describe(output: EditOutput): readonly ToolContent[] {
  if (isFailure(output)) return text(output.error);
  return text(`Changed ${output.path}, first on line ${output.firstChangedLine}.\n${output.diff}`);
}

/** `delete`: a file, or a directory with everything in it. */

import { WORKSPACE_ROOT } from "@cloudflare/computer-rpc";
import { z } from "zod";
import type { MutableFileStore } from "../../files/file-store.ts";
import { defineTool } from "./define-tool.ts";
import { isFailure, type ToolContent, type ToolDefinition, type ToolFailure, text } from "./definition.ts";
import { withPathLock } from "./path-locks.ts";
import { toolPath } from "./tool-path.ts";

export interface DeleteToolOptions {
  store: MutableFileStore;
}

export interface DeleteInput {
  path: string;
  recursive?: boolean | undefined;
}

const fields = z.object({
  path: z.string().min(1).describe("The file or directory: absolute, or from the workspace's root."),
  recursive: z.boolean().optional().describe("Needed for a directory that is not empty."),
});

export type DeleteOutput = { readonly path: string; readonly deleted: true } | ToolFailure;

export function defineDelete(
  options: DeleteToolOptions,
  root: string = WORKSPACE_ROOT,
): ToolDefinition<DeleteInput, DeleteOutput> {
  const { store } = options;
  return defineTool<DeleteInput, DeleteOutput>({
    tool: "delete",
    description: "Deletes a file, a symbolic link (not what it leads to), or a directory. It cannot be undone.",
    readOnly: false,
    fields,
    bare: "path",
    aliases: { file_path: "path", filePath: "path", file: "path", directory: "path" },
    example: { path: `${root}/old.txt` },
    describe,
    run: async ({ path: given, recursive = false }) => {
      const path = toolPath(given, root);
      if (path.replace(/\/$/, "") === root.replace(/\/$/, "")) {
        return { error: `${path} is the root of the workspace, which stays: delete what is in it.` };
      }
      return withPathLock(store.lockIdentity ?? store, path, async () => {
        await store.remove(path, { recursive });
        return { path, deleted: true };
      });
    },
  });
}

function describe(output: DeleteOutput): readonly ToolContent[] {
  return text(isFailure(output) ? output.error : `Deleted ${output.path}.`);
}

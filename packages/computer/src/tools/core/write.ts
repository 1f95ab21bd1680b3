/** `write`: a whole file. */

import { WORKSPACE_ROOT } from "@cloudflare/computer-rpc";
import { z } from "zod";
import type { FileStore } from "../../files/file-store.ts";
import { defineTool } from "./define-tool.ts";
import { isFailure, type ToolContent, type ToolDefinition, type ToolFailure, text } from "./definition.ts";
import { withPathLock } from "./path-locks.ts";
import { WRITE_BYTES } from "./tool-limits.ts";
import { toolPath } from "./tool-path.ts";

export interface WriteToolOptions {
  store: FileStore;
  /** Bytes at most, 2 MiB unless given. */
  maxBytes?: number | undefined;
}

export interface WriteInput {
  path: string;
  content: string;
}

const fields = z.object({
  path: z.string().min(1).describe("The file: absolute, or from the workspace's root. Directories above it are made."),
  content: z.string().describe("The whole of its new text."),
});

export type WriteOutput = { readonly path: string; readonly bytes: number; readonly created: boolean } | ToolFailure;

export function defineWrite(
  options: WriteToolOptions,
  root: string = WORKSPACE_ROOT,
): ToolDefinition<WriteInput, WriteOutput> {
  const { store, maxBytes = WRITE_BYTES } = options;
  return defineTool<WriteInput, WriteOutput>({
    tool: "write",
    description: `Writes a whole file, at most ${maxBytes} bytes; what was in it is gone. To change a part of a file use edit.`,
    readOnly: false,
    fields,
    aliases: {
      file_path: "path",
      filePath: "path",
      file: "path",
      filename: "path",
      text: "content",
      contents: "content",
    },
    example: { path: `${root}/notes.md`, content: "# Notes\n" },
    describe,
    run: async ({ path: given, content }) => {
      const path = toolPath(given, root);
      const bytes = new TextEncoder().encode(content);
      if (bytes.length > maxBytes) {
        return {
          error: `${bytes.length} bytes are too many for one write, at most ${maxBytes}: nothing was written. Write a part, then add to it with a command.`,
        };
      }
      return withPathLock(store.lockIdentity ?? store, path, async () => {
        const created = (await store.stat(path)) === null;
        await store.write(path, bytes);
        return { path, bytes: bytes.length, created };
      });
    },
  });
}

function describe(output: WriteOutput): readonly ToolContent[] {
  if (isFailure(output)) return text(output.error);
  return text(`${output.created ? "Made" : "Wrote"} ${output.path}, ${output.bytes} bytes.`);
}

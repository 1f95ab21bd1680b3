/** `publish`: a link to a file for people outside. */

import { WORKSPACE_ROOT } from "@cloudflare/computer-rpc";
import { z } from "zod";
import { defineTool } from "./define-tool.ts";
import { isFailure, type ToolContent, type ToolDefinition, type ToolFailure, text } from "./definition.ts";
import { PUBLISH_SECONDS, PUBLISH_SECONDS_MAX } from "./tool-limits.ts";
import { toolPath } from "./tool-path.ts";

/** Gives a link to a file that works for `expiresAfter` milliseconds. */
type Share = (path: string, options: { expiresAfter: number }) => Promise<string>;

/** The part of a workspace, or of a client of one, that is used. */
export interface PublishWorkspaceLike {
  readonly sessionId: string;
  readonly assets?: { share: Share } | { publish: Share } | undefined;
}

export interface PublishToolOptions {
  workspace: PublishWorkspaceLike;
}

export interface PublishInput {
  path: string;
  expiresInSeconds?: number | undefined;
}

const fields = z.object({
  path: z.string().min(1).describe("The file: absolute, or from the workspace's root."),
  expiresInSeconds: z
    .int()
    .min(1)
    .max(PUBLISH_SECONDS_MAX)
    .optional()
    .describe("How long the link works: an hour unless given, seven days at most."),
});

export type PublishOutput =
  | { readonly path: string; readonly url: string; readonly expiresInSeconds: number }
  | ToolFailure;

export function definePublish(
  options: PublishToolOptions,
  root: string = WORKSPACE_ROOT,
): ToolDefinition<PublishInput, PublishOutput> {
  return defineTool<PublishInput, PublishOutput>({
    tool: "publish",
    description:
      "Makes a link to a copy of a file as it is now, that anyone who has the link can open until it expires.",
    readOnly: false,
    fields,
    bare: "path",
    aliases: { file_path: "path", filePath: "path", file: "path", expires: "expiresInSeconds" },
    example: { path: `${root}/report.pdf` },
    describe,
    run: async ({ path: given, expiresInSeconds = PUBLISH_SECONDS }) => {
      const path = toolPath(given, root);
      const { assets } = options.workspace;
      if (assets === undefined) return { error: "This workspace cannot share files: its option assets is not set." };
      const time = { expiresAfter: expiresInSeconds * 1000 };
      const url = await ("share" in assets ? assets.share(path, time) : assets.publish(path, time));
      return { path, url, expiresInSeconds };
    },
  });
}

function describe(output: PublishOutput): readonly ToolContent[] {
  if (isFailure(output)) return text(output.error);
  return text(`${output.url}\n[${output.path}, for ${output.expiresInSeconds} seconds from now.]`);
}

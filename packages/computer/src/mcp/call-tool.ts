/** One call of a tool over MCP: its progress while it runs, and its result. */

import type { CallToolResult, ProgressNotification, RequestMeta } from "@modelcontextprotocol/sdk/types.js";
import type { AnyToolDefinition, ToolContent } from "../tools/core/definition.ts";
import { runTool } from "../tools/core/run-tool.ts";

/** Milliseconds without a word from a tool after which the client is told that it is still running. */
const HEARTBEAT_MS = 5_000;
const MESSAGE_MAX = 200;

/** What is used of what the SDK gives with a request. */
export interface McpCall {
  readonly signal: AbortSignal;
  readonly _meta?: RequestMeta | undefined;
  sendNotification(notification: ProgressNotification): Promise<void>;
}

export async function callTool(tool: AnyToolDefinition, args: unknown, call: McpCall): Promise<CallToolResult> {
  const progress = new Progress(call);
  try {
    const { output, content, isError } = await runTool(tool, args ?? {}, {
      abortSignal: call.signal,
      onProgress: (output) => progress.tell(lastLine(output)),
    });
    return { content: content.map((part) => mcpContent(part, output)), isError };
  } finally {
    progress.end();
  }
}

/** Tells a client that asked for it how far a call is; each time by a higher number, as the protocol wants it. */
class Progress {
  readonly #call: McpCall;
  readonly #started = Date.now();
  readonly #heart: ReturnType<typeof setInterval> | undefined;
  #progress = 0;

  constructor(call: McpCall) {
    this.#call = call;
    if (call._meta?.progressToken !== undefined) this.#heart = setInterval(() => this.tell(undefined), HEARTBEAT_MS);
  }

  tell(message: string | undefined): void {
    const progressToken = this.#call._meta?.progressToken;
    if (progressToken === undefined || this.#call.signal.aborted) return;
    const elapsed = Math.round((Date.now() - this.#started) / 1000);
    this.#progress++;
    const params = { progressToken, progress: this.#progress, message: message ?? `running for ${elapsed} s` };
    // A client that has gone cannot be told; its call goes on until it is cancelled.
    this.#call.sendNotification({ method: "notifications/progress", params }).catch(() => undefined);
  }

  end(): void {
    clearInterval(this.#heart);
  }
}

/** The last line that a command has said. */
function lastLine(output: object): string | undefined {
  const { stdout = "", stderr = "" } = output as { stdout?: string; stderr?: string };
  const line = (stdout.trimEnd() || stderr.trimEnd()).split("\n").at(-1) ?? "";
  return line === "" ? undefined : line.slice(-MESSAGE_MAX);
}

function mcpContent(part: ToolContent, output: object | undefined): CallToolResult["content"][number] {
  if (part.type === "text") return part;
  const { data, mediaType } = part;
  if (mediaType.startsWith("image/")) return { type: "image", data, mimeType: mediaType };
  return { type: "resource", resource: { uri: uriOf(output), mimeType: mediaType, blob: data } };
}

function uriOf(output: object | undefined): string {
  const path = output !== undefined && "path" in output ? String(output.path) : "";
  return `workspace:///${path.split("/").filter(Boolean).map(encodeURIComponent).join("/")}`;
}

/** An MCP server with the tools of a workspace, for any transport. */

import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type Tool,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { AnyToolDefinition } from "../tools/core/definition.ts";
import { defineTools } from "../tools/core/tool-set.ts";
import { callTool } from "./call-tool.ts";
import type { McpServerOptions } from "./mcp-options.ts";

const VERSION = "1.0.0";

/**
 * A server that is not connected yet. Over HTTP use `createMcpHandler`, which makes one a session.
 *
 * @example
 * await createMcpServer({ workspace }).connect(transport);
 */
export function createMcpServer(options: McpServerOptions): Server {
  const { name = "computer", version = VERSION, instructions, ...rest } = options;
  const tools = defineTools(rest);
  const server = new Server(
    { name, version },
    {
      capabilities: { tools: {} },
      ...(instructions === undefined ? {} : { instructions }),
      jsonSchemaValidator: noValidator,
    },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(declaration) }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }, call) => {
    const tool = tools.find((each) => each.name === params.name);
    if (tool !== undefined) return callTool(tool, params.arguments, call);
    const names = tools.map((each) => each.name).join(", ");
    throw new McpError(ErrorCode.InvalidParams, `There is no tool ${params.name}. There are: ${names}.`);
  });
  return server;
}

/** The server asks clients for nothing that would have to be checked; the SDK's own validator compiles code, which Workers refuse. */
const noValidator = {
  getValidator: (): never => {
    throw new McpError(ErrorCode.InternalError, "This server checks no answers of clients.");
  },
};

/** Tools that reach out of the workspace. */
const OPEN_WORLD = ["exec", "publish"];

function declaration({ name, description, readOnly, inputSchema }: AnyToolDefinition): Tool {
  const { $schema, ...schema } = z.toJSONSchema(inputSchema, { io: "input" });
  return {
    name,
    description,
    inputSchema: schema as Tool["inputSchema"],
    annotations: {
      readOnlyHint: readOnly,
      destructiveHint: !readOnly && name !== "publish",
      idempotentHint: readOnly,
      openWorldHint: OPEN_WORLD.includes(name),
    },
  };
}

/** A workspace as an MCP server. */

export { createMcpHandler, type McpHandler } from "./mcp-handler.ts";
export type { McpHandlerOptions, McpServerOptions, McpStorage } from "./mcp-options.ts";
export { createMcpServer } from "./mcp-server.ts";

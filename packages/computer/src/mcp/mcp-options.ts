/** What an MCP server over a workspace can be told. */

import type { CreateToolsOptions } from "../tools/core/tool-set.ts";

/** The part of a Durable Object's storage that sessions are kept in. */
export interface McpStorage {
  get(key: string): Promise<unknown>;
  put(key: string, value: unknown): Promise<void>;
  delete(keys: string[]): Promise<number>;
  list(options: { prefix: string }): Promise<Map<string, unknown>>;
}

export interface McpServerOptions extends CreateToolsOptions {
  /** What clients see it as, `computer` unless given. */
  name?: string | undefined;
  version?: string | undefined;
  /** Told to the model of a client. */
  instructions?: string | undefined;
}

export interface McpHandlerOptions extends McpServerOptions {
  /** Where sessions are kept, so that they outlive the object's memory; without it they end with that. */
  storage?: McpStorage | undefined;
  /** Origins of web pages that may call it, beside its own, e.g. `https://chat.example`. */
  allowedOrigins?: readonly string[] | undefined;
}

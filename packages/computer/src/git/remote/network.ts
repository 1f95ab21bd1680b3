/** What of the network git may use, and how it tells of what it does. */

import { fatal } from "../git-error.ts";

export type ProgressCallback = (event: { phase: string; loaded: number; total?: number }) => void;
export type MessageCallback = (message: string) => void;

/** Credentials as a caller gives them. */
export interface GitAuth {
  username?: string | undefined;
  password?: string | undefined;
  headers?: Record<string, string> | undefined;
}

export type AuthCallback = (
  url: string,
  auth: GitAuth,
  // biome-ignore lint/suspicious/noConfusingVoidType: a callback that gives nothing is as one that gives undefined
) => GitAuth | undefined | void | Promise<GitAuth | undefined | void>;

export type Fetch = (request: Request) => Promise<Response>;

export interface Network {
  /** Undefined where the network is off. */
  readonly fetch: Fetch | undefined;
  readonly headers?: Record<string, string> | undefined;
  readonly onAuth?: AuthCallback | undefined;
  readonly onProgress?: ProgressCallback | undefined;
  readonly onMessage?: MessageCallback | undefined;
  readonly corsProxy?: string | undefined;
}

/** The way to the network; `ENETWORK` where it is off. */
export function allowedFetch(network: Network, url: string): Fetch {
  if (network.fetch !== undefined) return network.fetch;
  throw fatal(
    `unable to access '${url}': the network is off here; allow it where the git client or module is made`,
    "ENETWORK",
  );
}

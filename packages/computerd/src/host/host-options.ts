/** What `computerd host` is told on its command line and in its environment. */

import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { HostError } from "./host-error.ts";

export const HOST_USAGE = `computerd host --listen ADDRESS:PORT [--tools DIR]... [--state DIR] [--token-file FILE]

  --listen      where to listen, such as 127.0.0.1:8790 or [::1]:8790; port 0 takes a free one
  --tools       a directory that commands see read-only at the same path, with its bin first in PATH; may be repeated
  --state       a directory of the host's own, for sockets, mounts and contents; /var/lib/computerd/host-PORT by default
  --token-file  a file that holds the token which callers must present; else COMPUTERD_HOST_TOKEN holds it`;

/** Shorter tokens can be guessed. */
const SHORTEST_TOKEN = 16;
/** The path of a Unix socket has 107 bytes; a computer's directory and the socket's name take 30 of them. */
const LONGEST_STATE = 76;

export interface HostOptions {
  readonly address: string;
  readonly port: number;
  readonly token: string;
  readonly tools: readonly string[];
  /** Undefined for the default, which is named for the port. */
  readonly state: string | undefined;
}

/**
 * Reads the options of `computerd host`.
 * @throws HostError EOPTION, naming the option and what it should be.
 */
export function readHostOptions(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): HostOptions {
  const values = parse(args);
  const [address, port] = readListen(values.listen);
  const state = values.state === undefined ? undefined : resolve(values.state);
  if (state !== undefined && Buffer.byteLength(state) > LONGEST_STATE) {
    throw fault(`--state ${state} is too long for the sockets in it: at most ${LONGEST_STATE} bytes`);
  }
  return { address, port, token: readToken(values["token-file"], env), tools: readTools(values.tools ?? []), state };
}

function parse(args: readonly string[]) {
  try {
    const option = { type: "string" } as const;
    return parseArgs({
      args: [...args],
      options: { listen: option, state: option, "token-file": option, tools: { ...option, multiple: true } },
    }).values;
  } catch (cause) {
    throw fault(`${cause instanceof Error ? cause.message : cause}\n\n${HOST_USAGE}`);
  }
}

function readListen(listen: string | undefined): [address: string, port: number] {
  const parts = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(listen ?? "");
  const port = Number(parts?.[3]);
  if (!parts || port > 65535) throw fault(`--listen wants ADDRESS:PORT, such as 127.0.0.1:8790\n\n${HOST_USAGE}`);
  return [parts[1] ?? parts[2] ?? "", port];
}

function readToken(file: string | undefined, env: Readonly<Record<string, string | undefined>>): string {
  let token = env.COMPUTERD_HOST_TOKEN;
  if (file !== undefined) {
    let mode: number;
    try {
      mode = statSync(file).mode;
      token = readFileSync(file, "utf8").trim();
    } catch (cause) {
      throw fault(`--token-file ${file} cannot be read`, cause);
    }
    if ((mode & 0o077) !== 0) throw fault(`--token-file ${file} is open to other users: chmod 600 ${file}`);
  }
  if (!token) throw fault("there is no token: set COMPUTERD_HOST_TOKEN, or name a file with --token-file");
  if (token.length < SHORTEST_TOKEN || !/^[\x21-\x7e]+$/.test(token)) {
    throw fault(`the token must have at least ${SHORTEST_TOKEN} printable ASCII characters and no blanks`);
  }
  return token;
}

function readTools(tools: readonly string[]): string[] {
  return tools.map((given) => {
    const path = resolve(given);
    if (path === "/") throw fault(`--tools ${given} is not a directory of its own`);
    if (path.includes(":")) throw fault(`--tools ${given}: a directory in PATH cannot have a colon in its name`);
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw fault(`--tools ${given} is not a directory`);
    return path;
  });
}

function fault(message: string, cause?: unknown): HostError {
  return new HostError("EOPTION", message, { cause });
}

/** What the daemon is told in its environment. */

import { randomUUID } from "node:crypto";
import { isAbsolute } from "node:path";
import { ComputerError, WORKSPACE_ROOT } from "@cloudflare/computer-rpc";
import { z } from "zod";
import { commandBase, type Environment } from "./exec/environment.ts";
import { FUSE_DRIVERS, type FuseDriverName } from "./fuse/choose-driver.ts";

/** The variables, for `--help`. */
export const CONFIG_USAGE: string = `  PORT               the TCP port to listen on; 8080 by default
  SOCKET_PATH        a Unix socket to listen on instead
  RPC_CLIENT_SECRET  what callers present as 'Authorization: Bearer ...'; without one, only this machine is listened to
  RPC_CLIENT_SECRET_FILE
                     a file that holds the secret instead
  MOUNT_POINT        an empty directory where the files are mounted; ${WORKSPACE_ROOT} by default
  FUSE_MOUNT         fuse (default), files for real files in place of a mount, or auto for fuse where there is /dev/fuse, else files
  FUSE_DRIVER        kernel (default on Linux), which needs root and nothing else, or fuse-native, which needs libfuse 2
  TMPDIR             where large contents are kept while the daemon runs, on a local disk; /tmp by default
  RUNTIME_ID         the UUID this daemon goes by; a fresh one by default
  SANDBOX            none (default) or bubblewrap
  SANDBOX_TOOLS      directories that sandboxed commands see read-only, separated by ':'
  SANDBOX_NETWORK    none (default), host, or gateway for what the workspace lets through, for sandboxed commands
  COMPUTER_VAR_*     variables for commands, who see them without the prefix`;

const absolutePath = z.string().refine(isAbsolute, "must be an absolute path");

const Variables = z.object({
  PORT: z.coerce.number("must be a number").int().min(0).max(65535).optional(),
  SOCKET_PATH: absolutePath.optional(),
  RPC_CLIENT_SECRET: z.string().optional(),
  MOUNT_POINT: absolutePath.default(WORKSPACE_ROOT),
  FUSE_MOUNT: z.enum(["fuse", "files", "auto"], "must be 'fuse', 'files' or 'auto'").default("fuse"),
  FUSE_DRIVER: z.enum(FUSE_DRIVERS, "must be 'kernel' or 'fuse-native'").optional(),
  RUNTIME_ID: z.uuid("must be a UUID").optional(),
  SANDBOX: z.enum(["none", "bubblewrap"], "must be 'none' or 'bubblewrap'").default("none"),
  SANDBOX_TOOLS: z
    .string()
    .transform((list) => list.split(":").filter((path) => path !== ""))
    .pipe(z.array(absolutePath))
    .default([]),
  SANDBOX_NETWORK: z.enum(["none", "host", "gateway"], "must be 'none', 'host' or 'gateway'").default("none"),
});

/** Where callers reach the daemon. */
export type Listen =
  | { readonly socketPath: string }
  /** Port 0 takes a free one; without an address all of the machine's are listened at. */
  | { readonly port: number; readonly address: string | undefined };

export interface Config {
  readonly listen: Listen;
  /** Undefined where nobody is asked for one. */
  readonly secret: string | undefined;
  readonly mountPoint: string;
  /** `auto` is `fuse` where the machine can mount, else `files`. */
  readonly mount: "fuse" | "files" | "auto";
  /** Undefined where the machine decides. */
  readonly fuseDriver: FuseDriverName | undefined;
  readonly runtimeId: string;
  readonly sandbox: "none" | "bubblewrap";
  readonly sandboxTools: readonly string[];
  readonly sandboxNetwork: "none" | "host" | "gateway";
  /** What every command finds in its environment. */
  readonly commandEnv: Environment;
}

/** Reads the daemon's environment; `EOPTION` names each variable that is wrong. An empty variable is one that is not set. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const parsed = Variables.safeParse(given);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => `${String(path[0])} ${message}`);
    throw new ComputerError("EOPTION", `${faults.join("; ")}. See computerd --help.`);
  }
  const { PORT, SOCKET_PATH, RPC_CLIENT_SECRET: secret, ...rest } = parsed.data;
  if (PORT !== undefined && SOCKET_PATH !== undefined) {
    throw new ComputerError("EOPTION", "PORT and SOCKET_PATH are both set; the daemon listens in one place.");
  }
  // A command line for anybody is served to nobody but this machine itself.
  const address = secret === undefined ? "127.0.0.1" : undefined;
  return {
    listen: SOCKET_PATH === undefined ? { port: PORT ?? 8080, address } : { socketPath: SOCKET_PATH },
    secret,
    mountPoint: rest.MOUNT_POINT,
    mount: rest.FUSE_MOUNT,
    fuseDriver: rest.FUSE_DRIVER,
    runtimeId: rest.RUNTIME_ID ?? randomUUID(),
    sandbox: rest.SANDBOX,
    sandboxTools: rest.SANDBOX_TOOLS,
    sandboxNetwork: rest.SANDBOX_NETWORK,
    commandEnv: commandBase(given),
  };
}

/** How a host tells a daemon, through its environment, which sandbox to make. */

import type { BubblewrapOptions } from "./bubblewrap-launcher.ts";
import { SandboxError } from "./sandbox-error.ts";

/** All of the options but the mount point, which the daemon knows. */
export type SandboxSettings = Required<Omit<BubblewrapOptions, "mountPoint">>;

/** The variables that stand for a sandbox: `SANDBOX`, `SANDBOX_TOOLS` (as in PATH) and `SANDBOX_NETWORK` (`none` or `host`). */
export function sandboxEnvironment({ tools, enableInternet }: SandboxSettings): Record<string, string> {
  return {
    SANDBOX: "bubblewrap",
    SANDBOX_TOOLS: tools.join(":"),
    SANDBOX_NETWORK: enableInternet ? "host" : "none",
  };
}

/** The settings in the environment of a daemon whose `SANDBOX` is `bubblewrap`; no tools and no network where it says nothing. Throws SandboxError. */
export function readSandboxEnvironment(env: Readonly<Record<string, string | undefined>>): SandboxSettings {
  const { SANDBOX_TOOLS: tools = "", SANDBOX_NETWORK: network = "none" } = env;
  if (network !== "none" && network !== "host") {
    throw new SandboxError(`SANDBOX_NETWORK must be none or host, not ${network}`);
  }
  return { tools: tools.split(":").filter((path) => path !== ""), enableInternet: network === "host" };
}

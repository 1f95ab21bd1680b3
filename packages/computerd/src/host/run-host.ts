/** `computerd host`: gives each id a computer of its own on this machine. */

import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { findPrograms } from "../sandbox/machine.ts";
import { HOST_USAGE, readHostOptions } from "./host-options.ts";
import { createHostServer } from "./host-server.ts";
import { StateDirectory } from "./state-directory.ts";
import { Supervisor } from "./supervisor.ts";

/**
 * Runs a host until it is told to end (TERM or INT); resolves when all its computers have ended and nothing of them is left.
 * @throws HostError EOPTION and SandboxError, before anything was started.
 */
export async function runHost(args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<void> {
  if (args.includes("--help") || args.includes("-h")) {
    console.log(HOST_USAGE);
    return;
  }
  const options = readHostOptions(args, env);
  findPrograms();
  const told = Promise.race([once(process, "SIGTERM"), once(process, "SIGINT")]);

  const supervisor = Promise.withResolvers<Supervisor>();
  supervisor.promise.catch(() => {});
  const server = createHostServer({ token: options.token, supervisor: supervisor.promise });
  server.listen(options.port, options.address);
  await once(server, "listening");
  const { address, port, family } = server.address() as AddressInfo;
  const state = await StateDirectory.open(options.state ?? `/var/lib/computerd/host-${port}`).catch(
    (error: unknown) => {
      server.close();
      throw error;
    },
  );
  const computers = new Supervisor({ state, tools: options.tools, log: (line) => console.error(line) });
  supervisor.resolve(computers);
  console.log(`computerd host listens on http://${family === "IPv6" ? `[${address}]` : address}:${port}`);

  await told;
  // A second signal must not cut this short.
  for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => {});
  server.close();
  await computers.close();
  server.closeAllConnections();
  await state.close();
}

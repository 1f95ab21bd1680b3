#!/usr/bin/env node
/** The command `computerd`. */

import { keepCompiled } from "./compile-cache.ts";
import { withHiddenSecret } from "./hide-secret.ts";

const USAGE = `computerd             runs the daemon of one computer
computerd host ...    gives each id a computer of its own on this machine; see computerd host --help
computerd --help      says this
`;

async function main(args: readonly string[]): Promise<void> {
  const [first, ...rest] = args;
  if (first === "host") {
    const { runHost } = await import("./host/run-host.ts");
    await runHost(rest);
  } else if (first === "--help" || first === "-h") {
    const { CONFIG_USAGE } = await import("./config.ts");
    process.stdout.write(`${USAGE}\nThe daemon is told in its environment:\n\n${CONFIG_USAGE}\n`);
  } else if (first !== undefined) {
    process.stderr.write(`computerd: unknown argument '${first}'\n\n${USAGE}`);
    process.exitCode = 2;
  } else {
    await runDaemon();
  }
}

async function runDaemon(): Promise<void> {
  // First of all, and before the rest is loaded: the process may replace itself here.
  const env = withHiddenSecret(process.env);
  const { readConfig } = await import("./config.ts");
  const { startDaemon } = await import("./daemon.ts");
  const config = readConfig(env);
  const daemon = await startDaemon(config);
  console.log(`computerd ${config.runtimeId} listens at ${daemon.address}, files at ${daemon.mountPoint}`);
  if (config.secret === undefined)
    console.log("computerd: no RPC_CLIENT_SECRET is set, so everybody here may run commands");

  let ending = false;
  const end = (code: number): void => {
    if (ending) return;
    ending = true;
    daemon.close().then(
      () => process.exit(code),
      (error: unknown) => {
        console.error("computerd: could not end cleanly:", error);
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", () => end(0));
  process.on("SIGINT", () => end(0));
  // The mount must not outlive who serves it: everything that touches it would hang.
  process.on("uncaughtException", (error) => {
    console.error("computerd: ends because of an error of its own:", error);
    end(1);
  });
}

keepCompiled();
main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(`computerd: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
});

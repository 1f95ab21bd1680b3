/** Runs a computer host of this machine for the tests of the project `host`. */

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    computerHost: { url: string; token: string };
  }
}

const MAIN = join(import.meta.dirname, "../../packages/computerd/src/main.ts");

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const state = await mkdtemp(join(tmpdir(), "host-"));
  const token = randomBytes(24).toString("base64url");
  const host = spawn(process.execPath, [MAIN, "host", "--listen", "127.0.0.1:0", "--state", state], {
    env: { ...process.env, COMPUTERD_HOST_TOKEN: token },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const url = await addressOf(host.stdout, host.stderr);
  project.provide("computerHost", { url, token });
  return async () => {
    host.kill("SIGTERM");
    if (host.exitCode === null) await once(host, "exit");
    await rm(state, { recursive: true, force: true });
  };
}

/** Reads on afterwards, so that the host never waits for who reads what it says. */
async function addressOf(stdout: Readable, stderr: Readable): Promise<string> {
  let said = "";
  stderr.on("data", (text: Buffer) => {
    said = `${said}${text}`.slice(-4096);
  });
  for await (const line of createInterface(stdout)) {
    const url = /listens on (http:\S+)/.exec(line)?.[1];
    if (url === undefined) continue;
    stdout.resume();
    return url;
  }
  throw new Error(`the computer host ended before it listened: ${said}`);
}

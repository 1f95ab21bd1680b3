/** Runs a daemon of this machine, without a host, for the tests of the project `host`; they can have it killed and replaced. */

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { TestProject } from "vitest/node";

export interface LoneDaemon {
  /** With the daemon's secret in it. */
  url: string;
  /** `POST /replace` kills the daemon and starts another one in its place; `GET /NAME` reads a file of the scratch directory. */
  control: string;
  /** A directory that commands can write to and that outlives the daemon. */
  scratch: string;
}

declare module "vitest" {
  interface ProvidedContext {
    loneDaemon: LoneDaemon;
  }
}

const MAIN = join(import.meta.dirname, "../../packages/computerd/src/main.ts");

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const state = await mkdtemp(join(tmpdir(), "daemon-"));
  const [mount, scratch] = [join(state, "mount"), join(state, "scratch")];
  await Promise.all([mkdir(mount), mkdir(scratch)]);
  const secret = randomBytes(24).toString("base64url");
  const start = async (port: number): Promise<{ child: ChildProcess; port: number }> => {
    const child = spawn(process.execPath, [MAIN], {
      cwd: "/",
      env: { PATH: process.env.PATH, PORT: String(port), RPC_CLIENT_SECRET: secret, MOUNT_POINT: mount },
      stdio: ["ignore", "pipe", "pipe"],
    });
    return { child, port: await portOf(child) };
  };
  const kill = async ({ child }: { child: ChildProcess }): Promise<void> => {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    // Who is killed leaves the mount behind.
    while (spawnSync("umount", ["-l", mount]).status === 0) await sleep(10);
  };
  let daemon = await start(0);
  const control = createServer(async (request, response) => {
    try {
      if (request.url === "/replace" && request.method === "POST") {
        await kill(daemon);
        daemon = await start(daemon.port);
        response.end();
      } else response.end(await readFile(join(scratch, (request.url ?? "").replaceAll("/", ""))));
    } catch (error) {
      response.statusCode = 500;
      response.end(String(error));
    }
  });
  control.listen(0, "127.0.0.1");
  await once(control, "listening");
  project.provide("loneDaemon", {
    url: `http://:${secret}@127.0.0.1:${daemon.port}`,
    control: `http://127.0.0.1:${(control.address() as AddressInfo).port}`,
    scratch,
  });
  return async () => {
    control.close();
    await kill(daemon);
    await rm(state, { recursive: true, force: true });
  };
}

/** The port that the daemon says it listens at; it is read on afterwards, so that it never waits for who reads what it says. */
async function portOf(child: ChildProcess): Promise<number> {
  let said = "";
  return new Promise((resolve, reject) => {
    const hear = (bytes: Buffer): void => {
      said = `${said}${bytes}`.slice(-4096);
      const port = /listens at http:\/\/\S+:(\d+)/.exec(said)?.[1];
      if (port !== undefined) resolve(Number(port));
    };
    child.stdout?.on("data", hear);
    child.stderr?.on("data", hear);
    child.once("exit", () => reject(new Error(`the daemon ended before it listened: ${said}`)));
  });
}

/** Runs daemons of this machine as containers run them, for the tests of the project `host`: started with an environment, and ended. */

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** `POST /` starts one and tells `{ id, port }`; `GET /ID` answers when it has ended; `DELETE /ID?signal=N` signals it. */
    containerYard: string;
  }
}

interface Started {
  readonly child: ChildProcess;
  readonly mount: string;
  readonly ended: Promise<{ code: number | null; signal: string | null }>;
}

const MAIN = join(import.meta.dirname, "../../packages/computerd/src/main.ts");

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const state = await mkdtemp(join(tmpdir(), "yard-"));
  const started = new Map<string, Started>();

  const start = async (given: { env?: Record<string, string>; entrypoint?: string[] }): Promise<object> => {
    const id = randomUUID();
    const mount = join(state, id);
    await mkdir(mount);
    const [command = process.execPath, ...args] = given.entrypoint ?? [process.execPath, MAIN];
    const child = spawn(command, args, {
      cwd: "/",
      env: { PATH: process.env.PATH, PORT: "0", MOUNT_POINT: mount, ...given.env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const ended = once(child, "exit").then(([code, signal]) => {
      // Who is killed leaves the mount behind.
      while (spawnSync("umount", ["-l", mount]).status === 0);
      return { code, signal };
    });
    started.set(id, { child, mount, ended });
    // What is no daemon listens nowhere.
    return { id, port: given.entrypoint === undefined ? await portOf(child) : 9 };
  };

  const server = createServer(async (request, response) => {
    try {
      const { pathname, searchParams } = new URL(request.url ?? "/", "http://yard");
      const asked = started.get(pathname.slice(1));
      if (request.method === "POST") response.end(JSON.stringify(await start(JSON.parse(await bodyOf(request)))));
      else if (asked === undefined) response.writeHead(404).end();
      else if (request.method === "DELETE") {
        asked.child.kill(Number(searchParams.get("signal") ?? 9));
        response.end();
      } else response.end(JSON.stringify(await asked.ended));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  project.provide("containerYard", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);

  return async () => {
    for (const { child, ended } of started.values()) {
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
      await ended;
    }
    server.close();
    server.closeAllConnections();
    await rm(state, { recursive: true, force: true });
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts).toString();
}

/** The port that a daemon says it listens at; 0 where it ends before. */
async function portOf(child: ChildProcess): Promise<number> {
  let said = "";
  for (const output of [child.stdout, child.stderr]) {
    output?.on("data", (bytes: Buffer) => {
      said = `${said}${bytes}`.slice(-4096);
    });
  }
  while (child.exitCode === null && child.signalCode === null) {
    const port = /listens at http:\/\/\S+:(\d+)/.exec(said)?.[1];
    if (port !== undefined) return Number(port);
    await sleep(10);
  }
  return 0;
}

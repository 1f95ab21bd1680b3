/**
 * Runs daemons as containers run them, for the tests of the project `host`: started with an environment, and ended. They are processes of
 * this machine, or with an image's name in CONTAINER_IMAGE containers of it in Docker.
 */

import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
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
    containersAreReal: boolean;
  }
}

interface Started {
  readonly id: string;
  readonly port: number;
  /** Does nothing to one that has ended. */
  signal(signal: number): void;
  readonly ended: Promise<{ code: number | null; signal: string | null }>;
}

interface StartOptions {
  readonly env?: Record<string, string>;
  readonly entrypoint?: string[];
}

/** A port at which nothing listens. */
const NOWHERE = 9;
const MAIN = join(import.meta.dirname, "../../packages/computerd/src/main.ts");

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const state = await mkdtemp(join(tmpdir(), "yard-"));
  const image = process.env.CONTAINER_IMAGE;
  const started = new Map<string, Started>();

  const start = async (given: StartOptions): Promise<object> => {
    const one = image === undefined ? await startProcess(state, given) : await startContainer(image, given);
    started.set(one.id, one);
    return { id: one.id, port: one.port };
  };

  const server = createServer(async (request, response) => {
    try {
      const { pathname, searchParams } = new URL(request.url ?? "/", "http://yard");
      const asked = started.get(pathname.slice(1));
      if (request.method === "POST") response.end(JSON.stringify(await start(JSON.parse(await bodyOf(request)))));
      else if (asked === undefined) response.writeHead(404).end();
      else if (request.method === "DELETE") {
        asked.signal(Number(searchParams.get("signal") ?? 9));
        response.end();
      } else response.end(JSON.stringify(await asked.ended));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  project.provide("containersAreReal", image !== undefined);
  project.provide("containerYard", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);

  return async () => {
    for (const { signal, ended } of started.values()) {
      signal(9);
      await ended;
    }
    server.close();
    server.closeAllConnections();
    await rm(state, { recursive: true, force: true });
  };
}

/** A daemon of this machine, or whatever else is to be started instead, which then listens nowhere. */
async function startProcess(state: string, { env, entrypoint }: StartOptions): Promise<Started> {
  const id = randomUUID();
  const mount = join(state, id);
  await mkdir(mount);
  const [command = process.execPath, ...args] = entrypoint ?? [process.execPath, MAIN];
  const child = spawn(command, args, {
    cwd: "/",
    env: { PATH: process.env.PATH, PORT: "0", MOUNT_POINT: mount, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "exit").then(([code, signal]) => {
    // Who is killed leaves the mount behind.
    while (spawnSync("umount", ["-l", mount]).status === 0);
    return { code, signal };
  });
  const port = entrypoint === undefined ? await portOf(child) : NOWHERE;
  return { id, port, ended, signal: (signal) => void child.kill(signal) };
}

/** A container with all that Cloudflare gives one. Where it has its files is the image's to say. */
async function startContainer(image: string, { env = {}, entrypoint }: StartOptions): Promise<Started> {
  const [program, ...args] = entrypoint ?? [];
  const rights = ["--device", "/dev/fuse", "--cap-add", "SYS_ADMIN", "--security-opt", "apparmor=unconfined"];
  const variables = Object.entries(env).flatMap(([name, value]) => ["--env", `${name}=${value}`]);
  const id = await docker([
    ...["run", "--detach", "--publish", "127.0.0.1::8080", ...rights, ...variables],
    ...(program === undefined ? [] : ["--entrypoint", program]),
    ...[image, ...args],
  ]);
  const ended = docker(["wait", id]).then(async (code) => {
    await docker(["rm", "--force", id]);
    return { code: Number(code), signal: null };
  });
  const address = entrypoint === undefined ? await docker(["port", id, "8080"]) : "";
  const port = Number(/:(\d+)/.exec(address)?.[1] ?? NOWHERE);
  return { id, port, ended, signal: (signal) => void docker(["kill", "--signal", String(signal), id]).catch(() => {}) };
}

function docker(args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile("docker", args, (error, stdout, stderr) => {
      if (error === null) resolve(stdout.trim());
      else reject(new Error(`docker ${args[0]}: ${stderr}`));
    });
  });
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

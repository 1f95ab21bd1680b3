/** A real `computerd host` as its own process, and what a caller does with it. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectDaemon, type DaemonSession } from "@cloudflare/computer-rpc";
import { WebSocket } from "ws";

const MAIN = join(import.meta.dirname, "../src/main.ts");
export const TOKEN = "the-token-of-the-test-host-4711";

export interface Started {
  readonly runtimeId: string;
  readonly clientSecret: string;
  readonly outcome: string;
  readonly ignored: readonly string[];
}

export interface Output {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface HostFixtureOptions {
  /** Of the host's process, beside its token and PATH. */
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly state?: string;
}

export class HostFixture {
  readonly url: string;
  readonly state: string;
  readonly process: ChildProcess;
  readonly #sessions = new Map<string, DaemonSession>();
  readonly #secrets = new Map<string, string>();

  private constructor(url: string, state: string, process: ChildProcess) {
    this.url = url;
    this.state = state;
    this.process = process;
  }

  static async start({ env, args = [], state = newStatePath() }: HostFixtureOptions = {}): Promise<HostFixture> {
    const child = spawn(process.execPath, [MAIN, "host", "--listen", "127.0.0.1:0", "--state", state, ...args], {
      env: { PATH: process.env.PATH!, COMPUTERD_HOST_TOKEN: TOKEN, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    child.stderr.on("data", (data) => {
      said += data;
    });
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout.on("data", (data) => {
        const found = /http:\S+/.exec(String(data))?.[0];
        if (found) resolve(found);
      });
      child.once("exit", (code) => reject(new Error(`the host ended with ${code}: ${said}`)));
    });
    return new HostFixture(url, state, child);
  }

  /** A request to the host itself. */
  async manage(method: string, path: string, body?: unknown): Promise<Response> {
    return await fetch(this.url + path, {
      method,
      headers: { authorization: `Bearer ${TOKEN}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  async launch(id: string, spec?: unknown): Promise<Started> {
    const response = await this.manage("POST", `/computers/${id}`, spec);
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
    const started = (await response.json()) as Started;
    this.#secrets.set(id, started.clientSecret);
    return started;
  }

  async status(id: string): Promise<{ running: boolean; exit: { reason: string; exitedAt: number } | null }> {
    return (await (await this.manage("GET", `/computers/${id}`)).json()) as Awaited<ReturnType<HostFixture["status"]>>;
  }

  /** A request to a port of a computer. */
  async port(id: string, port: number, path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("computer-host-token", TOKEN);
    return await fetch(`${this.url}/computers/${id}/port/${port}${path}`, { ...init, headers });
  }

  socket(id: string, port: number, path: string, headers: Record<string, string> = {}): WebSocket {
    const url = `${this.url.replace("http", "ws")}/computers/${id}/port/${port}${path}`;
    return new WebSocket(url, { headers: { "computer-host-token": TOKEN, ...headers } });
  }

  /** The session with a computer's daemon; one for each launch. */
  async session(id: string): Promise<DaemonSession> {
    const secret = this.#secrets.get(id)!;
    const known = this.#sessions.get(secret);
    if (known) return known;
    const socket = this.socket(id, 8080, "/api", { authorization: `Bearer ${secret}` });
    await once(socket, "open");
    const session = await connectDaemon(socket);
    this.#sessions.set(secret, session);
    return session;
  }

  async run(id: string, source: string, options: { env?: Record<string, string> } = {}): Promise<Output> {
    const { rpc } = await this.session(id);
    const { events } = await rpc.shell.exec({ source, ...options });
    const parts = { stdout: [] as Uint8Array[], stderr: [] as Uint8Array[] };
    let code = Number.NaN;
    for await (const event of events) {
      if (event.name === "exit") code = event.code;
      else parts[event.name].push(event.value);
    }
    return { code, stdout: Buffer.concat(parts.stdout).toString(), stderr: Buffer.concat(parts.stderr).toString() };
  }

  /** Ends the host as an operator does; resolves with its exit code. */
  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<number | null> {
    for (const session of this.#sessions.values()) session.close();
    if (this.process.exitCode !== null || this.process.signalCode !== null) return this.process.exitCode;
    this.process.kill(signal);
    const [code] = await once(this.process, "exit");
    return code;
  }
}

/** A path for a host's state, short enough for the sockets in it; the host makes and removes the directory. */
export function newStatePath(): string {
  return join(mkdtempSync(join(tmpdir(), "host-")), "state");
}

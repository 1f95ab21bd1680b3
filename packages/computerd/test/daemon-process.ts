/** The daemon as a process of its own, and sessions with it. */

import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { connectDaemon, type DaemonSession, type ExecEvent } from "@cloudflare/computer-rpc";
import { WebSocket } from "ws";

const MAIN = fileURLToPath(new URL("../src/main.ts", import.meta.url));

export const SECRET = "s3cret-of-the-daemon";

export interface DaemonProcess {
  readonly child: ChildProcess;
  readonly url: string;
  /** What it has said so far. */
  readonly said: () => string;
  /** Resolves with its exit code or signal. */
  readonly ended: Promise<number | NodeJS.Signals>;
  session(): Promise<DaemonSession>;
}

/** Starts a daemon on a free port; rejects with what it said where it ends before it listens. `before` precedes its command. */
export async function startDaemonProcess(
  env: Record<string, string>,
  before: readonly string[] = [],
): Promise<DaemonProcess> {
  const [command = process.execPath, ...args] = [...before, process.execPath, MAIN];
  const child = spawn(command, args, {
    cwd: "/",
    env: { PATH: process.env.PATH, PORT: "0", RPC_CLIENT_SECRET: SECRET, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  const listening = Promise.withResolvers<string>();
  const hear = (bytes: Buffer): void => {
    said += bytes;
    const port = /listens at http:\/\/\S+:(\d+)/.exec(said)?.[1];
    if (port !== undefined) listening.resolve(`ws://127.0.0.1:${port}/api`);
  };
  child.stdout.on("data", hear);
  child.stderr.on("data", hear);
  const ended = new Promise<number | NodeJS.Signals>((resolve) =>
    child.once("close", (code, signal) => {
      listening.reject(new Error(said));
      resolve(code ?? signal ?? -1);
    }),
  );
  const url = await listening.promise;
  const headers = { authorization: `Bearer ${SECRET}` };
  const session = (): Promise<DaemonSession> => connectDaemon(new WebSocket(url, { headers }));
  return { child, url, said: () => said, ended, session };
}

export interface Outcome {
  code: number | undefined;
  stdout: string;
  stderr: string;
  seqs: number[];
}

/** Reads a run to its end. */
export async function outcome(events: ReadableStream<ExecEvent>): Promise<Outcome> {
  const result: Outcome = { code: undefined, stdout: "", stderr: "", seqs: [] };
  for await (const event of events) {
    result.seqs.push(event.seq);
    if (event.name === "exit") result.code = event.code;
    else result[event.name] += Buffer.from(event.value).toString();
  }
  return result;
}

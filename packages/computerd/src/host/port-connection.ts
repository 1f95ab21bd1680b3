/** Connections to the servers of a computer: its daemon, and what its commands listen with. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { connect } from "node:net";
import { Duplex } from "node:stream";
import { ENTER, findPrograms } from "../sandbox/machine.ts";
import type { Computer } from "./computer.ts";
import { HostError } from "./host-error.ts";

/** The port that stands for the daemon itself. */
export const DAEMON_PORT = 8080;

/**
 * Connects to a port of a computer.
 * @throws HostError EPORT where nothing listens there.
 */
export async function connectToPort(computer: Computer, port: number): Promise<Duplex> {
  if (port === DAEMON_PORT) return await opened(connect({ path: computer.socket }), port);
  const pid = computer.networkProcess();
  if (pid === undefined) return await opened(connect({ host: "localhost", port }), port);
  return await throughNetworkOf(pid, port);
}

async function opened(socket: ReturnType<typeof connect>, port: number): Promise<Duplex> {
  try {
    await once(socket, "connect");
    return socket;
  } catch (cause) {
    throw new HostError("EPORT", `nothing listens on port ${port} of this computer`, { cause });
  }
}

// A process cannot join another network for one socket of its own, so a small one does it and passes the bytes on.
async function throughNetworkOf(pid: number, port: number): Promise<Duplex> {
  const network = openNetwork(pid);
  const relay = spawn(findPrograms().perl, [...ENTER, "connect", "3", String(port)], {
    cwd: "/",
    env: {},
    stdio: ["pipe", "pipe", "pipe", network],
  });
  closeSync(network);
  const connection = Duplex.from({ readable: relay.stdout, writable: relay.stdin });
  connection.once("close", () => relay.kill()).on("error", () => {});
  let said = "";
  await new Promise<void>((resolve, reject) => {
    relay.stderr?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      if (said === "connected\n") resolve();
    });
    relay.once("error", (cause) => reject(new HostError("EPORT", "perl could not be started", { cause })));
    relay.once("close", () => reject(new HostError("EPORT", `port ${port} of this computer: ${said.trim()}`)));
  });
  return connection;
}

function openNetwork(pid: number): number {
  try {
    return openSync(`/proc/${pid}/ns/net`, "r");
  } catch (cause) {
    throw new HostError("ENOTRUNNING", "the computer has just ended", { cause });
  }
}

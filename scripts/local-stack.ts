/** The whole product on this machine: a computerd host for the computers, and a dev server for the Worker. */

import { randomBytes } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BackgroundProcess } from "./background-process.ts";
import { ROOT, tool } from "./checkout.ts";

const START_TIMEOUT_MS = 120_000;
/** The first time, images are built before the server is ready. */
const IMAGES_TIMEOUT_MS = 900_000;

/** A running `computerd host`. */
export interface LocalHost {
  readonly url: string;
  readonly token: string;
  readonly process: BackgroundProcess;
}

/** Starts a host on a free loopback port; `tools` are folders whose `bin` the computers' commands find in their PATH. */
export async function startHost(options: { tools?: readonly string[] | undefined } = {}): Promise<LocalHost> {
  const token = randomBytes(24).toString("hex");
  const main = join(ROOT, "packages", "computerd", "src", "main.ts");
  const tools = (options.tools ?? []).flatMap((folder) => ["--tools", folder]);
  const port = await freePort();
  const state = mkdtempSync(join(tmpdir(), "computer-host-"));
  const args = [main, "host", "--listen", `127.0.0.1:${port}`, "--state", state, ...tools];
  const host = new BackgroundProcess(process.execPath, args, {
    title: "the computerd host",
    cwd: ROOT,
    scratch: state,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, COMPUTERD_HOST_TOKEN: token },
  });
  try {
    const url = `http://127.0.0.1:${port}`;
    await answers(url, host);
    return { url, token, process: host };
  } catch (error) {
    await host.stop();
    throw error;
  }
}

/** A running `wrangler dev`. */
export interface DevServer {
  readonly url: string;
  /** Where its inspector lists what can be inspected. */
  readonly inspector: string;
  readonly process: BackgroundProcess;
}

export interface DevServerOptions {
  /** Left out where the computers are containers, or where there are none. */
  readonly host?: { readonly url: string; readonly token: string } | undefined;
  /** Whether Docker runs the containers of the configuration; otherwise the objects have none. */
  readonly docker?: boolean | undefined;
  /** The folder that keeps the Durable Objects' storage. */
  readonly state: string;
  /** A free one by default. */
  readonly port?: number | undefined;
  /** The Worker's configuration, the root's by default. */
  readonly config?: string | undefined;
  readonly onOutput?: (text: string) => void;
}

/** Starts `wrangler dev` on the loopback interface, its Worker told where the host is. */
export async function startDevServer(options: DevServerOptions): Promise<DevServer> {
  const port = options.port ?? (await freePort());
  const inspectorPort = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "computer-dev-"));
  // In a file, since what stands on a command line can be read by everyone on the machine.
  const vars = join(folder, "vars.env");
  const { url = "", token = "" } = options.host ?? {};
  writeFileSync(vars, `COMPUTER_HOST_URL=${url}\nCOMPUTER_HOST_TOKEN=${token}\n`, { mode: 0o600 });
  const config = options.config ?? join(ROOT, "wrangler.jsonc");
  const docker = options.docker === true;
  const flags = [
    "--config",
    config,
    "--env-file",
    vars,
    "--persist-to",
    options.state,
    `--enable-containers=${docker}`,
  ];
  const net = ["--ip", "127.0.0.1", "--port", String(port), "--inspector-port", String(inspectorPort)];
  const server = new BackgroundProcess(
    tool("wrangler"),
    ["dev", ...flags, ...net, "--show-interactive-dev-session=false"],
    {
      title: "the dev server",
      cwd: ROOT,
      env: {
        ...process.env,
        PATH: `${join(ROOT, "node_modules", ".bin")}:${process.env.PATH}`,
        CI: "true",
        WRANGLER_SEND_METRICS: "false",
        CLOUDFLARE_CF_FETCH_ENABLED: "false",
      },
      scratch: folder,
      // It removes its containers when it is interrupted, and only then.
      ...(docker && { endSignal: "SIGINT" }),
      ...(options.onOutput && { onOutput: options.onOutput }),
    },
  );
  try {
    // After a failed build it would wait for someone to mend the source.
    const timeout = docker ? IMAGES_TIMEOUT_MS : START_TIMEOUT_MS;
    const [, ready] = await server.says(/Ready on (http\S+)|\[ERROR\] Build failed/, timeout);
    if (ready === undefined) throw new Error(`${server.title} could not build the Worker:\n${server.tail()}`);
    return { url: ready, inspector: `http://127.0.0.1:${inspectorPort}/json`, process: server };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function answers(url: string, by: BackgroundProcess): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const response = await fetch(`${url}/health`).catch(() => undefined);
    if (response?.ok) return;
    // Throws once the process has ended, with what it said.
    await by.says(/(?!)/, 100).catch((error: Error) => {
      if (error.message.includes("ended early")) throw error;
    });
  }
  throw new Error(`${by.title} does not answer at ${url}/health:\n${by.tail()}`);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() =>
        address && typeof address === "object" ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });
}

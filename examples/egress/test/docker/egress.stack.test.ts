/** What gets out of real containers, which the platform's own interception holds: each policy by HTTP, HTTPS, raw TCP and DNS. */

import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer, type Server } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { imageContents, needDocker } from "../../../../scripts/docker.ts";
import { type DevServer, startDevServer } from "../../../../scripts/local-stack.ts";

interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly error?: string;
}

const state = mkdtempSync(join(tmpdir(), "egress-docker-"));
const status = "curl -s -o /dev/null -m 20 -w '%{http_code}'";
let outside: Server;
let address: string;
let server: DevServer;

describe("from inside of a container", () => {
  beforeAll(async () => {
    needDocker();
    await imageContents(() => {});
    // An address of this machine that a container could reach, were it let out.
    const own = Object.values(networkInterfaces())
      .flat()
      .find((each) => each?.family === "IPv4" && !each.internal);
    outside = createServer((socket) => socket.end("hello\n"));
    outside.listen(0, "0.0.0.0");
    await once(outside, "listening");
    address = `${own?.address}/${(outside.address() as AddressInfo).port}`;
    server = await startDevServer({ docker: true, state, config: join(import.meta.dirname, "../../wrangler.jsonc") });
  }, 900_000);

  afterAll(async () => {
    await server?.process.stop();
    outside?.close();
    rmSync(state, { recursive: true, force: true });
  });

  async function run(policy: "none" | "direct" | "gateway", script: string): Promise<string> {
    const response = await fetch(`${server.url}/${policy}/exec`, { method: "POST", body: script });
    const { exitCode, stdout, error } = (await response.json()) as Ran;
    return error ?? `${exitCode} ${stdout}`.trimEnd();
  }

  const tcp = (): string => `timeout 20 bash -c 'exec 3<>/dev/tcp/${address} && head -1 <&3' 2>/dev/null`;

  test("under none nothing answers", async () => {
    expect(await run("none", `${status} http://api.internal/`)).not.toMatch(/ [1-5]\d\d$/);
    expect(await run("none", `${status} https://api.internal/`)).not.toMatch(/ [1-5]\d\d$/);
    expect(await run("none", tcp())).not.toContain("hello");
    expect(await run("none", "getent hosts a-name-of-nobody.example")).toBe("2");
  });

  test("under http-gateway HTTP and HTTPS are the gateway's, and nothing else gets out", async () => {
    expect(await run("gateway", "curl -s http://api.internal/balance; env | grep -c key-")).toBe(
      '1 {"path":"/balance","balance":42}0',
    );
    expect(await run("gateway", "curl -s https://api.internal/balance")).toBe('0 {"path":"/balance","balance":42}');
    expect(await run("gateway", `${status} https://evil.example/`)).toBe("0 403");
    expect(await run("gateway", tcp())).not.toContain("hello");
  });

  test("under direct the container has a network", async () => {
    expect(await run("direct", tcp())).toBe("0 hello");
    expect(await run("direct", `${status} http://${address.replace("/", ":")}/`)).toMatch(/ (000|200)$/);
  });
});

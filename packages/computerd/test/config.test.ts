import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { readConfig } from "../src/config.ts";

const MAIN = fileURLToPath(new URL("../src/main.ts", import.meta.url));
const run = promisify(execFile);

describe("the daemon's environment", () => {
  test("needs nothing; what it lacks is safe", () => {
    expect(readConfig({ PATH: "/bin" })).toEqual({
      listen: { port: 8080, address: "127.0.0.1" },
      secret: undefined,
      mountPoint: "/workspace",
      mount: "fuse",
      runtimeId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      sandbox: "none",
      sandboxTools: [],
      sandboxNetwork: "none",
      commandEnv: { PATH: "/bin", HOME: "/root", LANG: "C.UTF-8", SHELL: "/bin/sh", TERM: "dumb" },
    });
  });

  test("is taken over whole", () => {
    const runtimeId = "0b0e2b4e-6d0c-4b57-a7ce-3f3a4f7f3a55";
    const config = readConfig({
      SOCKET_PATH: "/run/c.sock",
      RPC_CLIENT_SECRET: "hush",
      MOUNT_POINT: "/mnt/w",
      FUSE_MOUNT: "fuse",
      RUNTIME_ID: runtimeId,
      SANDBOX: "bubblewrap",
      SANDBOX_TOOLS: "/opt/a:/opt/b",
      SANDBOX_NETWORK: "host",
      COMPUTER_VAR_A: "1",
    });
    expect(config).toMatchObject({
      listen: { socketPath: "/run/c.sock" },
      secret: "hush",
      mountPoint: "/mnt/w",
      runtimeId,
      sandbox: "bubblewrap",
      sandboxTools: ["/opt/a", "/opt/b"],
      sandboxNetwork: "host",
      commandEnv: { A: "1" },
    });
    expect(JSON.stringify(config.commandEnv)).not.toContain("hush");
  });

  test("listens at every address only where a secret is set", () => {
    expect(readConfig({ PORT: "80", RPC_CLIENT_SECRET: "hush" }).listen).toEqual({ port: 80, address: undefined });
    expect(readConfig({ PORT: "80", RPC_CLIENT_SECRET: "" }).listen).toEqual({ port: 80, address: "127.0.0.1" });
  });

  test.each([
    [{ PORT: "http" }, "PORT must be a number"],
    [{ MOUNT_POINT: "mnt" }, "MOUNT_POINT must be an absolute path"],
    [{ FUSE_MOUNT: "nfs" }, "FUSE_MOUNT must be 'fuse', 'files' or 'auto'"],
    [{ FUSE_DRIVER: "libfuse" }, "FUSE_DRIVER must be 'kernel' or 'fuse-native'"],
    [{ SANDBOX: "docker" }, "SANDBOX must be 'none' or 'bubblewrap'"],
    [{ SANDBOX_TOOLS: "/a:b" }, "SANDBOX_TOOLS must be an absolute path"],
    [{ RUNTIME_ID: "1" }, "RUNTIME_ID must be a UUID"],
    [{ PORT: "1", SOCKET_PATH: "/s" }, "PORT and SOCKET_PATH are both set"],
  ])("%j is refused by name", (env, words) => {
    expect(() => readConfig(env)).toThrow(`EOPTION: ${words}`);
  });
});

describe("the command", () => {
  const computerd = (...args: string[]) => run(process.execPath, [MAIN, ...args], { env: { PATH: process.env.PATH } });

  test("says what it takes", async () => {
    const { stdout } = await computerd("--help");
    for (const name of [
      "PORT",
      "SOCKET_PATH",
      "RPC_CLIENT_SECRET",
      "MOUNT_POINT",
      "FUSE_MOUNT",
      "FUSE_DRIVER",
      "SANDBOX",
      "COMPUTER_VAR_",
    ]) {
      expect(stdout).toContain(name);
    }
  });

  test("refuses what it does not know by name", async () => {
    await expect(computerd("serve")).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^computerd: unknown argument 'serve'\n/),
    });
  });
});

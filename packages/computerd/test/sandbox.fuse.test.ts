import { spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Launcher } from "../src/exec/launcher.ts";
import { createBubblewrapLauncher } from "../src/sandbox/bubblewrap-launcher.ts";
import { findPrograms } from "../src/sandbox/machine.ts";
import { collect, ENV, run } from "./sandbox-shell.ts";

const scratch = mkdtempSync(join(tmpdir(), "sandbox-test-"));
const mountPoint = join(scratch, "mount");
const tools = join(scratch, "tools");
let launcher: Launcher;

beforeAll(async () => {
  mkdirSync(mountPoint);
  mkdirSync(join(tools, "bin"), { recursive: true });
  writeFileSync(join(tools, "bin", "greet"), "#!/bin/sh\necho greetings\n", { mode: 0o755 });
  launcher = await createBubblewrapLauncher({ mountPoint, tools: [tools] });
});

afterAll(async () => {
  await launcher.close();
  rmSync(scratch, { recursive: true });
});

describe("how a command ends", () => {
  test.each([
    ["true", 0, null],
    ["exit 3", 3, null],
    ["no-such-program", 127, null],
    ["/etc/passwd", 126, null],
    ["kill -KILL $$", null, "SIGKILL"],
    ["kill -TERM $$", null, "SIGTERM"],
    ["sh -c 'kill -SEGV $$'", 139, null],
    ["trap 'exit 7' TERM; kill -TERM 0; wait", 7, null],
  ])("%s", async (source, code, signal) => {
    expect(await run(launcher, source)).toMatchObject({ code, signal });
  });

  test("a directory that is not there", async () => {
    const outcome = await run(launcher, "echo ran", { cwd: "/workspace/none" });
    expect(outcome).toMatchObject({ code: 126, stdout: "" });
    expect(outcome.stderr).toContain("cannot start in '/workspace/none'");
  });
});

test("a command reads its input, writes to both outputs, and gets what it said as it was", async () => {
  const child = launcher.launch({ source: "cat; printf 'a\\0b' >&2", cwd: "/", env: ENV });
  const bytes = "é\n".repeat(100_000);
  expect(await collect(child, bytes)).toEqual({ code: 0, signal: null, stdout: bytes, stderr: "a\0b" });
});

test("the three streams can be opened by their names", async () => {
  const source = "cat /dev/stdin > /dev/stdout; echo err > /dev/stderr; cat < /proc/self/fd/0";
  const child = launcher.launch({ source, cwd: "/", env: ENV });
  expect(await collect(child, "in\n")).toEqual({ code: 0, signal: null, stdout: "in\n", stderr: "err\n" });
});

test("much goes both ways at once, and a reader that is slow holds the writer back", async () => {
  const child = launcher.launch({ source: "tee /dev/stderr | tr a b; exit 3", cwd: "/", env: ENV });
  const bytes = "a".repeat(20_000_000);
  const { code, stdout, stderr } = await collect(child, bytes);
  expect([code, stdout === bytes.replaceAll("a", "b"), stderr === bytes]).toEqual([3, true, true]);

  const slow = launcher.launch({ source: "yes | head -c 20000000 | (cat; echo all said >&2)", cwd: "/", env: ENV });
  slow.stdin!.end();
  await sleep(500);
  expect(slow.stderr!.readableLength).toBe(0);
  expect((await collect(slow)).stdout).toHaveLength(20_000_000);
});

test("what a command said before it was killed arrives", async () => {
  const child = launcher.launch({ source: "head -c 60000 /dev/zero; kill -KILL 0", cwd: "/", env: ENV });
  expect(await collect(child)).toMatchObject({ signal: "SIGKILL", stdout: "\0".repeat(60_000) });
});

test("a command that writes to nobody any more gets a broken pipe", async () => {
  const child = launcher.launch({ source: "exec yes", cwd: "/", env: ENV });
  await once(child.stdout!, "data");
  child.stdout!.destroy();
  expect((await once(child, "exit"))[1]).toBe("SIGPIPE");
});

test("the environment is the one given and no more, whatever its names and values", async () => {
  const env = { PATH: ENV.PATH!, EMPTY: "", LINES: "a\nb=c'\"$x", LONG: "x".repeat(100_000), ÜMLAUT: "ü" };
  const { stdout } = await run(launcher, "exec cat /proc/self/environ", { env });
  const given = Object.fromEntries(
    stdout
      .split("\0")
      .filter(Boolean)
      .map((entry) => entry.split(/=(.*)/s, 2)),
  );
  // The shell sets PWD by itself, and drops what is no name of a variable to it.
  const { ÜMLAUT: _, ...expected } = env;
  expect(given).toEqual({ ...expected, PWD: "/workspace" });
});

test("variables that act on a program's start act on the command only, not on what starts it", async () => {
  const env = { ...ENV, LD_DEBUG: "files", PERL5OPT: "-Mnone", PERL5LIB: "/workspace" };
  const { code, stderr } = await run(launcher, "exec true", { env });
  expect(code).toBe(0);
  expect(stderr).toContain("file=libc.so.6");
  expect(stderr).not.toContain("perl");
});

test("a command has its three descriptors and no more", async () => {
  const { stdout } = await run(
    launcher,
    "exec perl -e 'opendir D, \"/proc/self/fd\"; print join q( ), sort grep /\\d/, readdir D'",
  );
  // The last is the one that reads the directory.
  expect(stdout).toBe("0 1 2 3");
});

test("what a command leaves in the background lives on beside later commands, and ends with the sandbox", async () => {
  const own = await createBubblewrapLauncher({ mountPoint });
  const marker = "4242.1";
  await run(own, `sleep ${marker} >/dev/null 2>&1 </dev/null & echo $! > /tmp/pid`);
  expect((await run(own, "kill -0 $(cat /tmp/pid) && cat /proc/$(cat /tmp/pid)/cmdline")).stdout).toBe(
    `sleep\0${marker}\0`,
  );
  expect(processesWith(marker)).toHaveLength(1);
  const last = own.launch({ source: `exec sleep ${marker}`, cwd: "/", env: ENV });
  while (processesWith(marker).length < 2) await sleep(5);
  await own.close();
  expect(processesWith(marker)).toEqual([]);
  expect(last.signalCode).toBe("SIGKILL");
  expect(() => own.launch({ source: "true", cwd: "/", env: ENV })).toThrow("closed");
});

test("a signal to the group outside reaches every process of the command inside", async () => {
  const child = launcher.launch({ source: "sleep 4242.2 & sleep 4242.2 | cat & echo up; wait", cwd: "/", env: ENV });
  await once(child.stdout!, "data");
  while (processesWith("4242.2").length < 2) await sleep(5);
  process.kill(-child.pid!, "SIGKILL");
  expect((await collect(child)).signal).toBe("SIGKILL");
  while (processesWith("4242.2").length > 0) await sleep(5);
  expect((await run(launcher, "cat /proc/[0-9]*/comm")).stdout).not.toContain("sleep");
});

test("a command that handles TERM comes to its own end", async () => {
  const child = launcher.launch({
    source: "trap 'echo tidied; exit 5' TERM; echo up; while :; do sleep 0.01; done",
    cwd: "/",
    env: ENV,
  });
  await once(child.stdout!, "data");
  process.kill(-child.pid!, "SIGTERM");
  expect(await collect(child)).toMatchObject({ code: 5, stdout: "tidied\n" });
});

test("thirty commands at once", async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 30 }, (_, index) => run(launcher, `echo ${index}; exit ${index}`)),
  );
  expect(outcomes.map(({ code, stdout }) => [code, Number(stdout)])).toEqual(
    outcomes.map((_, index) => [index, index]),
  );
});

test("files of the mount are seen at /workspace, both ways", async () => {
  writeFileSync(join(mountPoint, "in"), "from outside");
  expect((await run(launcher, "cat in; printf 'from inside' > out; chmod 700 out")).stdout).toBe("from outside");
  expect(readFileSync(join(mountPoint, "out"), "utf8")).toBe("from inside");
});

test("tools are there at their own path, and cannot be changed", async () => {
  const env = { ...ENV, PATH: `${tools}/bin:${ENV.PATH}` };
  expect((await run(launcher, "greet", { env })).stdout).toBe("greetings\n");
  expect(await run(launcher, `echo > ${tools}/bin/greet`, { env })).toMatchObject({ code: 2 });
  chmodSync(join(tools, "bin", "greet"), 0o755);
  expect((await run(launcher, `chmod 0 ${tools}/bin/greet`)).stderr).toContain("Read-only file system");
});

test("ordinary programs find what they need", async () => {
  const { stdout, stderr } = await run(
    launcher,
    `set -e
    test "$(id -un)" = root; test "$(cd && pwd)" = /home/computer; test "$(hostname)" = computer
    cd "$(mktemp -d)"; : > a; chown 1000:1000 a; mkdir d; cp /etc/services d; tar cf t.tar --owner=7 --group=7 d; rm -r d; tar xf t.tar
    git init -q r; perl -e 'print 1 + 1'; echo a | sort > /dev/null; head -c 4 /dev/urandom > b; : > /dev/shm/c; : > /var/tmp/d
    ls d`,
  );
  expect(stderr).toBe("");
  expect(stdout).toBe("2services\n");
});

test("the network is a loopback device, or the machine's own where that was asked for", async () => {
  const inside = async (subject: Launcher) =>
    (await run(subject, "readlink /proc/self/ns/net; tail -n +3 /proc/net/dev | cut -d: -f1")).stdout;
  const [network, ...devices] = (await inside(launcher)).trim().split(/\s+/);
  expect(network).not.toBe(readlinkSync("/proc/self/ns/net"));
  expect(devices).toEqual(["lo"]);
  expect(
    (await run(launcher, "perl -MIO::Socket -e 'IO::Socket::INET->new(Listen => 1, LocalAddr => q(127.0.0.1)) or die'"))
      .code,
  ).toBe(0);

  const open = await createBubblewrapLauncher({ mountPoint, enableInternet: true });
  expect(await inside(open)).toContain(readlinkSync("/proc/self/ns/net"));
  expect((await run(open, "test -s /etc/resolv.conf")).code).toBe(existsSync("/etc/resolv.conf") ? 0 : 1);
  await open.close();
});

describe("what is missing is named", () => {
  test("the programs", () => {
    expect(() => findPrograms("/nowhere")).toThrow(
      "needs bwrap and perl, not found in PATH: apt-get install bubblewrap perl-base",
    );
  });

  test("the tools' directory", async () => {
    await expect(createBubblewrapLauncher({ mountPoint, tools: ["/nowhere"] })).rejects.toThrow(
      "'/nowhere' does not exist",
    );
  });

  test("the mount", async () => {
    await expect(createBubblewrapLauncher({ mountPoint: "/nowhere" })).rejects.toThrow(
      /could not be made: bwrap: .*\/nowhere/,
    );
  });
});

function processesWith(argument: string): string[] {
  const { stdout } = spawnSync("pgrep", ["-f", `^sleep ${argument}`], { encoding: "utf8" });
  return stdout.split("\n").filter(Boolean);
}

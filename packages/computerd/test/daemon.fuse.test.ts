import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DaemonSession, WORKSPACE_ROOT } from "@cloudflare/computer-rpc";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type DaemonProcess, outcome, SECRET, startDaemonProcess } from "./daemon-process.ts";

const dir = mkdtempSync(join(tmpdir(), "daemon-test-"));
const daemons: DaemonProcess[] = [];
let count = 0;
let mountPoint: string;

beforeEach(() => {
  mountPoint = join(dir, `mnt${++count}`);
});
afterEach(async () => {
  for (const daemon of daemons.splice(0)) {
    daemon.child.kill("SIGTERM");
    await daemon.ended;
  }
});
afterAll(() => rmSync(dir, { recursive: true }));

async function start(env: Record<string, string> = {}, before?: readonly string[]): Promise<DaemonProcess> {
  const daemon = await startDaemonProcess({ MOUNT_POINT: mountPoint, ...env }, before);
  daemons.push(daemon);
  return daemon;
}

async function run(session: DaemonSession, source: string, options: { cwd?: string } = {}) {
  const { events } = await session.rpc.shell.exec({ source, ...options });
  return outcome(events);
}

/** Waits until a file that a command writes says something. */
async function appears(path: string): Promise<string> {
  for (;;) {
    try {
      const text = readFileSync(path, "utf8");
      if (text !== "") return text;
    } catch {}
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

describe("a daemon", () => {
  const runtimeId = "0b0e2b4e-6d0c-4b57-a7ce-3f3a4f7f3a55";
  const sharedMount = join(dir, "shared");
  let shared: DaemonProcess;

  beforeAll(async () => {
    const env = { MOUNT_POINT: sharedMount, RUNTIME_ID: runtimeId, COMPUTER_VAR_GREETING: "hello" };
    shared = await startDaemonProcess(env);
  });
  afterAll(async () => {
    shared.child.kill("SIGTERM");
    await shared.ended;
  });

  test("shows pushed files to commands, and gives back what they write", async () => {
    using session = await shared.session();
    expect(session.hello).toMatchObject({ runtimeId, mount: "fuse" });
    const health = await (await fetch(shared.url.replace("ws", "http").replace("/api", "/health"))).json();
    expect(health).toMatchObject({ status: "ok", runtimeId, mount: "fuse" });
    const data = new TextEncoder().encode("pushed\n");
    const pushed = await session.rpc.sync.pushPage({
      entries: [
        { kind: "dir", rev: 1, path: `${WORKSPACE_ROOT}/d`, mode: 0o755, mtime: 1000 },
        { kind: "file", rev: 2, path: `${WORKSPACE_ROOT}/d/f`, mode: 0o600, mtime: 1000, size: 7, chunks: [], data },
      ],
      cursor: { rev: 2, path: null },
      base: 0,
    });
    expect(pushed).toMatchObject({ applied: 2, refused: [] });

    const source = 'cat f; echo "$GREETING" > g; pwd; stat -c "%a %Y" f; exit 3';
    const { stdout, stderr, code } = await run(session, source, { cwd: `${WORKSPACE_ROOT}/d` });
    expect({ stdout, stderr, code }).toEqual({ stdout: `pushed\n${sharedMount}/d\n600 1\n`, stderr: "", code: 3 });

    const after = { rev: 0, path: null };
    const page = await session.rpc.sync.pullPage({ after, entries: 100, bytes: 1 << 20, contents: 1 << 20 });
    const files = page.entries.filter((entry) => entry.path === `${WORKSPACE_ROOT}/d/g`);
    expect(files).toMatchObject([{ kind: "file", size: 6 }]);
    expect(files[0]?.kind === "file" && String(files[0].data)).toBe("hello\n");
  });

  test("keeps its secret from the commands it runs", async () => {
    using session = await shared.session();
    const { stdout } = await run(
      session,
      "env; tr '\\0' '\\n' < /proc/$PPID/environ; tr '\\0' ' ' < /proc/$PPID/cmdline",
    );
    expect(stdout).toContain("MOUNT_POINT=");
    expect(stdout).not.toContain(SECRET);
    const file = /RPC_CLIENT_SECRET_FILE=(.*)/.exec(stdout)?.[1];
    expect(file).toBeDefined();
    expect(existsSync(file ?? "/")).toBe(false);
  });

  test("gives commands no open file but their three streams", async () => {
    using session = await shared.session();
    const { stdout } = await run(session, "for fd in /proc/$$/fd/*; do readlink $fd; done | sed s,/.*/,, | sort -u");
    // Its output twice; the input, and what stands in place of the mount's connection, are the empty device.
    expect(stdout).toMatch(/^\d+ \(deleted\)\n\d+ \(deleted\)\nnull\n(pipe:\[\d+\]\n)?$/);
  });

  test("X-01 answers when the shell has ended, whatever it left running", async () => {
    using session = await shared.session();
    const { events } = await session.rpc.shell.exec({ source: "sleep 30 & echo started", timeoutMs: 3000 });
    expect(await outcome(events)).toMatchObject({ stdout: "started\n", code: 0 });
  });

  test("X-10 gives a session that comes later what an earlier one missed, once, and then what follows", async () => {
    const go = join(dir, `go${count}`);
    const first = await shared.session();
    const { events } = await first.rpc.shell.exec({
      id: "long",
      source: `echo one; until [ -e ${go} ]; do sleep .02; done; echo two; until [ -e ${go}2 ]; do sleep .02; done; echo three`,
    });
    const reader = events.getReader();
    expect((await reader.read()).value).toMatchObject({ seq: 0, name: "stdout" });
    first.close();
    await expect(reader.read()).rejects.toMatchObject({ code: expect.stringMatching(/^E/) });
    writeFileSync(go, "");
    using second = await shared.session();
    const again = await second.rpc.shell.getExec({ id: "long", after: 0 });
    const live = again.events.getReader();
    expect((await live.read()).value).toMatchObject({ seq: 1, name: "stdout" });
    writeFileSync(`${go}2`, "");
    expect((await live.read()).value).toMatchObject({ seq: 2, name: "stdout" });
    expect((await live.read()).value).toMatchObject({ seq: 3, name: "exit", code: 0 });
    expect((await live.read()).done).toBe(true);
  });

  test("X-05 that is killed while a command streams breaks the stream, and its successor does not know the run", async () => {
    const counter = join(dir, `counter${count}`);
    const daemon = await start();
    const session = await daemon.session();
    const source = `echo ran >> ${counter}; echo up; exec sleep 60`;
    const { events } = await session.rpc.shell.exec({ id: "mine", source });
    const reader = events.getReader();
    expect((await reader.read()).value).toMatchObject({ name: "stdout" });
    daemon.child.kill("SIGKILL");
    await expect(reader.read()).rejects.toMatchObject({ code: expect.stringMatching(/^E/) });

    // On the same directory, where the dead one's mount still is.
    const next = await start();
    using other = await next.session();
    await expect(other.rpc.shell.getExec({ id: "mine" })).rejects.toMatchObject({ code: "EEXEC_LOST" });
    await expect(other.rpc.shell.killExec({ id: "mine" })).rejects.toMatchObject({ code: "EEXEC_LOST" });
    expect(await run(other, "ls -A; echo fine")).toMatchObject({ stdout: "fine\n", code: 0 });
    expect(readFileSync(counter, "utf8")).toBe("ran\n");
  });

  test("keeps its mount point: another daemon is refused there", async () => {
    await expect(startDaemonProcess({ MOUNT_POINT: sharedMount })).rejects.toThrow(/Another daemon is mounted at/);
  });

  test("that is told to end ends its commands, unmounts and exits with 0", async () => {
    const daemon = await start();
    const session = await daemon.session();
    const pids = join(dir, `pids${count}`);
    await session.rpc.shell.exec({ source: `sleep 600 & echo $! $$ > ${pids}; exec sleep 600` });
    const [background = 0, shell = 0] = (await appears(pids)).split(" ").map(Number);
    daemon.child.kill("SIGTERM");
    expect(await daemon.ended).toBe(0);
    expect([isAlive(background), isAlive(shell)]).toEqual([false, false]);
    expect(readFileSync("/proc/self/mounts", "utf8")).not.toContain(mountPoint);
    expect(await readdir(mountPoint)).toEqual([]);
    await session.closed;
  });
});

describe("a machine that lacks something", () => {
  const inMountNamespace = (prepare: string): string[] => ["unshare", "-m", "sh", "-c", `${prepare}; exec "$@"`, "sh"];

  test("/dev/fuse is named, with how to get it", async () => {
    const without = inMountNamespace("mount -t tmpfs none /dev");
    await expect(start({}, without)).rejects.toThrow(
      /computerd: EUNAVAILABLE: FUSE_MOUNT=fuse needs \/dev\/fuse, which cannot be opened \(ENOENT\)\..*--device \/dev\/fuse/s,
    );
  });

  test("libfuse is named, with the packages to install", async () => {
    const hide = "mount --bind /dev/null $(ldconfig -p | sed -n 's/.*libfuse.so.2 .*=> //p' | xargs readlink -f)";
    await expect(start({ FUSE_DRIVER: "fuse-native" }, inMountNamespace(`PATH=$PATH:/sbin; ${hide}`))).rejects.toThrow(
      /EUNAVAILABLE: FUSE_MOUNT=fuse needs libfuse.so.2\. Install it: 'apt-get install fuse3 libfuse2'/,
    );
  });

  test("a mount point with something in it is refused, and that stays", async () => {
    await mkdir(join(mountPoint, "kept"), { recursive: true });
    await expect(start()).rejects.toThrow(/EUNAVAILABLE: The mount point .* is not empty \(it has 'kept'\)/);
    expect(await readdir(mountPoint)).toEqual(["kept"]);
  });
});

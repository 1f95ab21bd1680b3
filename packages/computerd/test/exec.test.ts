import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ExecEvent } from "@cloudflare/computer-rpc";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commandBase } from "../src/exec/environment.ts";
import { ExecService, type ExecServiceOptions } from "../src/exec/exec-service.ts";
import { PlainLauncher } from "../src/exec/plain-launcher.ts";

const dir = mkdtempSync(join(tmpdir(), "exec-test-"));
const services: ExecService[] = [];

function service(options: Partial<ExecServiceOptions> = {}): ExecService {
  const made = new ExecService({
    launcher: new PlainLauncher(),
    workspaceRoot: dir,
    env: commandBase({ PATH: process.env.PATH, HOME: "/home/of-the-test", RPC_CLIENT_SECRET: "hush" }),
    runtimeId: "runtime-1",
    ...options,
  });
  services.push(made);
  return made;
}

interface Outcome {
  code: number | undefined;
  ended: "killed" | "timeout" | undefined;
  stdout: string;
  stderr: string;
  events: ExecEvent[];
}

async function outcome({ events }: { events: ReadableStream<ExecEvent> }): Promise<Outcome> {
  const seen: ExecEvent[] = [];
  for await (const event of events) seen.push(event);
  const text = (name: "stdout" | "stderr") =>
    Buffer.concat(seen.flatMap((event) => (event.name === name ? [event.value] : []))).toString();
  const last = seen.at(-1);
  return {
    code: last?.name === "exit" ? last.code : undefined,
    ended: last?.name === "exit" ? last.ended : undefined,
    stdout: text("stdout"),
    stderr: text("stderr"),
    events: seen,
  };
}

/** Waits until the process is gone, or fails with the test. */
async function gone(pid: number): Promise<void> {
  for (;;) {
    try {
      // A zombie answers signals too, so the state decides.
      if (/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"))) return;
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

let runs: ExecService;
beforeAll(() => {
  writeFileSync(join(dir, "plain.txt"), "no program");
  runs = service();
});
afterAll(async () => {
  for (const made of services) await made.close();
  rmSync(dir, { recursive: true });
});

describe("events", () => {
  test("carry stdout, stderr and one exit, numbered from 0 in order of arrival", async () => {
    const run = await runs.exec({ source: "echo one; sleep .1; echo two >&2; sleep .1; echo three; exit 5" });
    const { events, code } = await outcome(run);
    expect(events.map(({ name, seq, id }) => [name, seq, id])).toEqual([
      ["stdout", 0, run.id],
      ["stderr", 1, run.id],
      ["stdout", 2, run.id],
      ["exit", 3, run.id],
    ]);
    expect(code).toBe(5);
  });

  test("come while the command runs", async () => {
    const { events } = await runs.exec({
      source: `echo first; while [ ! -e ${dir}/go ]; do sleep .02; done; echo last`,
    });
    const reader = events.getReader();
    const first = await reader.read();
    expect(first.value).toMatchObject({ name: "stdout", seq: 0 });
    writeFileSync(join(dir, "go"), "");
    expect((await reader.read()).value).toMatchObject({ name: "stdout", seq: 1 });
    expect((await reader.read()).value).toMatchObject({ name: "exit", seq: 2, code: 0 });
    expect((await reader.read()).done).toBe(true);
  });

  test.each([
    ["true", 0],
    ["exit 3", 3],
    ["exec sh -c 'exit 4'", 4],
    ["kill -9 $$", 137],
    ["kill -TERM $$", 143],
    ["no-such-command", 127],
    ["./plain.txt", 126],
    ["if then", 2],
    ["-x", 127],
  ])("%s ends with %i", async (source, code) => {
    expect((await outcome(await runs.exec({ source }))).code).toBe(code);
  });

  test("bytes that are no text arrive as they are", async () => {
    const { events } = await outcome(await runs.exec({ source: "printf '\\377\\000\\200\\376'" }));
    expect(events[0]).toMatchObject({ name: "stdout", value: new Uint8Array([255, 0, 128, 254]) });
  });
});

describe("what a command finds", () => {
  test("starts in the workspace root, or where it is told", async () => {
    const where = async (cwd?: string) =>
      (await outcome(await runs.exec({ source: "pwd", ...(cwd && { cwd }) }))).stdout;
    await outcome(await runs.exec({ source: "mkdir -p 'a b/-c'" }));
    expect(await where()).toBe(`${dir}\n`);
    expect(await where("/workspace/a b")).toBe(`${dir}/a b\n`);
    expect(await where("a b/-c")).toBe(`${dir}/a b/-c\n`);
    expect(await where("/usr")).toBe("/usr\n");
  });

  test("a directory that is not there is named, and nothing runs", async () => {
    const { code, stdout, stderr } = await outcome(await runs.exec({ source: "echo ran", cwd: "/no/where" }));
    expect({ code, stdout, stderr }).toEqual({
      code: 126,
      stdout: "",
      stderr: "computerd: cannot start in '/no/where': no such directory\n",
    });
  });

  test("sees the base, the computer's variables and the call's, and nothing else of the daemon", async () => {
    const daemon = {
      PATH: "/usr/bin:/bin",
      RPC_CLIENT_SECRET: "hush",
      COMPUTER_VAR_TOKEN: "t",
      COMPUTER_VAR_OVER: "computer",
      COMPUTER_VAR_: "nameless",
      NODE_OPTIONS: "--no-warnings",
    };
    const made = service({ env: commandBase(daemon) });
    const run = await made.exec({ source: "env | sort", env: { OVER: "call", EMPTY: "", "odd-name": "x" } });
    const names = (await outcome(run)).stdout.trim().split("\n");
    // The shell passes on only what a shell can name.
    expect(names).toEqual([
      "EMPTY=",
      "HOME=/root",
      "LANG=C.UTF-8",
      "OVER=call",
      `PATH=${daemon.PATH}`,
      `PWD=${dir}`,
      "SHELL=/bin/sh",
      "TERM=dumb",
      "TOKEN=t",
    ]);
    const next = await outcome(await made.exec({ source: 'echo "$OVER"' }));
    expect(next.stdout).toBe("computer\n");
  });

  test("reads its stdin to the end; without one it is empty", async () => {
    const stdin = new TextEncoder().encode("in\0put");
    expect((await outcome(await runs.exec({ source: "cat", stdin }))).stdout).toBe("in\0put");
    expect(await outcome(await runs.exec({ source: "cat; echo end" }))).toMatchObject({ stdout: "end\n", code: 0 });
  });

  test("can open its streams again by their names", async () => {
    const stdin = new TextEncoder().encode("in\n");
    const source = "cat /dev/stdin; echo out > /dev/stdout; echo err > /dev/stderr; echo both | tee /dev/stderr";
    expect(await outcome(await runs.exec({ source, stdin }))).toMatchObject({
      stdout: "in\nout\nboth\n",
      stderr: "err\nboth\n",
    });
    expect(await outcome(await runs.exec({ source: "cat /dev/stdin" }))).toMatchObject({ stdout: "", code: 0 });
  });

  test("may leave a large stdin unread", async () => {
    const run = await runs.exec({ source: "head -c 1", stdin: new Uint8Array(1 << 20).fill(97) });
    expect(await outcome(run)).toMatchObject({ stdout: "a", code: 0 });
  });

  test("a source longer than an argument may be runs whole, and keeps its stdin", async () => {
    const text = "é".repeat(200_000);
    const source = `cat > long.txt <<'END'\n${text}\nEND\ncat; exit 9\n`;
    const run = await runs.exec({ source, stdin: new TextEncoder().encode("after") });
    expect(await outcome(run)).toMatchObject({ stdout: "after", stderr: "", code: 9 });
    expect(readFileSync(join(dir, "long.txt"), "utf8")).toBe(`${text}\n`);
  });
});

describe("the end of a run", () => {
  test("X-01 a child left in the background neither holds the run open nor dies with it", async () => {
    const run = await runs.exec({ source: "sleep 30 & echo started $!", timeoutMs: 3000 });
    const { stdout, code } = await outcome(run);
    expect(code).toBe(0);
    const pid = Number(/started (\d+)/.exec(stdout)?.[1]);
    expect(() => process.kill(pid, 0)).not.toThrow();
    process.kill(pid, "SIGKILL");
  });

  test("a background child may go on writing to the closed run", async () => {
    const source = `(sleep 1.5; echo lost; echo kept > ${dir}/after-end) & echo now`;
    expect((await outcome(await runs.exec({ source }))).stdout).toBe("now\n");
    for (;;) {
      try {
        expect(readFileSync(join(dir, "after-end"), "utf8")).toBe("kept\n");
        break;
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  });

  test("a timeout ends the whole group, also a child that ignores TERM, and says so", async () => {
    const source = `trap '' TERM; sleep 60 & echo $!; sh -c "sleep 60"; echo not-reached`;
    const { stdout, stderr, code, ended } = await outcome(await runs.exec({ source, timeoutMs: 200 }));
    expect([code, ended]).toEqual([124, "timeout"]);
    expect(stderr).toContain("computerd: timed out after 200 ms and was ended\n");
    expect(stdout).not.toContain("not-reached");
    await gone(Number(stdout.trim()));
  });

  test.each([
    ["SIGTERM", "exec sleep 60", 143, "killed"],
    ["SIGKILL", "exec sleep 60", 137, "killed"],
    ["SIGINT", "exec sleep 60", 130, "killed"],
    ["SIGHUP", "exec sleep 60", 129, "killed"],
    ["SIGINT", "trap 'exit 7' INT; while :; do sleep .02; done", 7, undefined],
    ["SIGTERM", "trap 'exit 7' TERM; while :; do sleep .02; done", 7, "killed"],
    ["SIGTERM", "trap 'sleep 1.5 && exit 0' TERM; while :; do sleep .02; done", 0, "killed"],
    ["SIGTERM", "trap '' TERM; while :; do sleep .02; done", 137, "killed"],
  ] as const)("%s to `%s` ends it with %i", { timeout: 20_000 }, async (signal, command, code, ended) => {
    const run = await runs.exec({
      source: `${command.startsWith("trap") ? command.replace(";", "; echo up;") : `echo up; ${command}`}`,
    });
    const reader = run.events.getReader();
    await reader.read();
    await runs.killExec({ id: run.id, signal });
    reader.releaseLock();
    expect(await outcome(run)).toMatchObject({ code, ended });
  });

  test("X-07 a hung command holds up nobody and can be killed", async () => {
    const hung = await runs.exec({ source: "echo up; sleep 600" });
    const five = await Promise.all([1, 2, 3, 4, 5].map(async (n) => outcome(await runs.exec({ source: `echo ${n}` }))));
    expect(five.map(({ stdout, code }) => [stdout, code])).toEqual([1, 2, 3, 4, 5].map((n) => [`${n}\n`, 0]));
    await runs.killExec({ id: hung.id });
    expect(await outcome(hung)).toMatchObject({ stdout: "up\n", code: 143 });
  });

  test("closing ends background children too", async () => {
    const made = service();
    const { stdout } = await outcome(await made.exec({ source: "sleep 600 & echo $!" }));
    await made.close();
    await gone(Number(stdout));
  });
});

describe("asking again", () => {
  test("X-10 what was missed is replayed once, then live, with one exit", async () => {
    const go = (n: number) => `while [ ! -e ${dir}/x10-${n} ]; do sleep .02; done`;
    const source = `echo a; ${go(1)}; echo b; ${go(2)}; echo c`;
    const first = await runs.exec({ id: "x-10", source });
    const reader = first.events.getReader();
    expect((await reader.read()).value).toMatchObject({ seq: 0 });
    await reader.cancel();
    writeFileSync(join(dir, "x10-1"), "");
    const missed = (await runs.getExec({ id: "x-10", after: 0 })).events.getReader();
    expect((await missed.read()).value).toMatchObject({ seq: 1 });
    const again = await runs.getExec({ id: "x-10", after: 0 });
    const tail = await runs.getExec({ id: "x-10", after: 1 });
    writeFileSync(join(dir, "x10-2"), "");
    expect(await outcome(again)).toMatchObject({ stdout: "b\nc\n", events: [{ seq: 1 }, { seq: 2 }, { seq: 3 }] });
    expect((await missed.read()).value).toMatchObject({ seq: 2 });
    expect(await outcome(tail)).toMatchObject({ stdout: "c\n", code: 0, events: [{ seq: 2 }, { seq: 3 }] });
  });

  test("an ended run is replayed from the start or any event, and `tail` gives its exit", async () => {
    const { id } = await runs.exec({ source: "echo a; sleep .1; echo b >&2" });
    const whole = await outcome(await runs.getExec({ id }));
    expect(whole).toMatchObject({ stdout: "a\n", stderr: "b\n", code: 0 });
    expect((await outcome(await runs.getExec({ id, after: 1 }))).events).toEqual(whole.events.slice(2));
    expect((await outcome(await runs.getExec({ id, after: "tail" }))).events).toEqual(whole.events.slice(2));
    expect((await outcome(await runs.getExec({ id, after: 99 }))).events).toEqual([]);
  });

  test("an id is good for one run", async () => {
    const counter = join(dir, "counter");
    const input = { id: "once", source: `echo x >> ${counter}` };
    await outcome(await runs.exec(input));
    await expect(runs.exec(input)).rejects.toMatchObject({ code: "EEXEC_EXISTS" });
    await runs.disposeExec({ id: "once" });
    await expect(runs.exec(input)).rejects.toThrow(/^EEXEC_EXISTS: A run with the id 'once' was already started here/);
    expect(readFileSync(counter, "utf8")).toBe("x\n");
  });

  test("X-05 a run of another computer is lost, a disposed one is no longer kept", async () => {
    await expect(runs.getExec({ id: "of-another" })).rejects.toThrow(
      /^EEXEC_LOST: This computer \(runtime runtime-1\) does not know the run 'of-another'/,
    );
    await expect(runs.killExec({ id: "of-another" })).rejects.toMatchObject({ code: "EEXEC_LOST" });
    const { id } = await runs.exec({ source: "sleep 600" });
    await runs.disposeExec({ id });
    await expect(runs.getExec({ id })).rejects.toThrow(/^EEXEC_LOST: The run '.*' is no longer kept/);
  });

  test("disposing a run that still runs ends it", async () => {
    const run = await runs.exec({ source: "echo $$; exec sleep 600" });
    const reader = run.events.getReader();
    const { value } = await reader.read();
    if (value?.name !== "stdout") throw new Error("The command said nothing.");
    await runs.disposeExec({ id: run.id });
    expect((await reader.read()).done).toBe(true);
    await gone(Number(Buffer.from(value.value)));
  });
});

describe("bad input is refused before anything runs", () => {
  test.each([
    ["an unknown option", { source: "true", shell: "bash" }, /shell/],
    ["a NUL in the source", { source: "a\0b" }, /source: has a NUL byte/],
    ["structured input", { source: "true", input: {} }, /input: is only for computers that are callable/],
    ["a timeout of nothing", { source: "true", timeoutMs: 0 }, /timeoutMs/],
    ["an impossible variable", { source: "true", env: { "a=b": "" } }, /"a=b" cannot be the name of a variable/],
    ["a NUL in a variable", { source: "true", env: { A: "\0" } }, /the value of A has a NUL byte/],
  ])("%s", async (_, input, words) => {
    await expect(runs.exec(input)).rejects.toMatchObject({ code: "EOPTION", message: expect.stringMatching(words) });
  });

  test("an environment the system does not take starts nothing, and the id stays free", async () => {
    const input = { id: "too-large", source: "echo ran" };
    const env = { LARGE: "x".repeat(200_000) };
    await expect(runs.exec({ ...input, env })).rejects.toThrow(/^EUNAVAILABLE: The command was not started: .*E2BIG/);
    expect(await outcome(await runs.exec(input))).toMatchObject({ stdout: "ran\n" });
  });
});

import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HostFixture, newStatePath } from "./host-fixture.ts";

const tools = mkdtempSync(join(tmpdir(), "host-tools-"));
let host: HostFixture;

beforeAll(async () => {
  mkdirSync(join(tools, "bin"));
  writeFileSync(join(tools, "bin", "greet"), "#!/bin/sh\necho greetings\n", { mode: 0o755 });
  host = await HostFixture.start({ args: ["--tools", tools] });
});

afterAll(async () => {
  expect(await host.stop()).toBe(0);
  expect(existsSync(host.state)).toBe(false);
  rmSync(dirname(host.state), { recursive: true });
  rmSync(tools, { recursive: true });
});

describe("starting", () => {
  test("the first start launches, the same spec adopts, another one relaunches", async () => {
    const first = await host.launch("starting", { env: { COMPUTER_VAR_A: "1", COMPUTER_VAR_B: "2" } });
    expect(first.outcome).toBe("launched");
    const again = await host.launch("starting", {
      env: { COMPUTER_VAR_B: "2", COMPUTER_VAR_A: "1" },
      enableInternet: false,
    });
    expect(again).toEqual({ ...first, outcome: "adopted" });
    expect((await host.run("starting", "echo $A$B")).stdout).toBe("12\n");

    const other = await host.launch("starting", { env: { COMPUTER_VAR_A: "3", NODE_OPTIONS: "--bad" } });
    expect(other).toMatchObject({ outcome: "relaunched", ignored: ["NODE_OPTIONS"] });
    expect(other.runtimeId).not.toBe(first.runtimeId);
    expect(other.clientSecret).not.toBe(first.clientSecret);
    expect((await host.run("starting", "echo $A$B$NODE_OPTIONS")).stdout).toBe("3\n");
    const old = await host.port("starting", 8080, "/api", {
      headers: { authorization: `Bearer ${first.clientSecret}` },
    });
    expect(old.status).toBe(401);
  });

  test("starts at once are one start", async () => {
    const started = await Promise.all(Array.from({ length: 8 }, () => host.launch("at-once")));
    expect(started.map(({ outcome }) => outcome).sort()).toEqual([...Array(7).fill("adopted"), "launched"]);
    expect(new Set(started.map(({ runtimeId }) => runtimeId)).size).toBe(1);
    expect(new Set(started.map(({ clientSecret }) => clientSecret)).size).toBe(1);
  });

  test("a restart gives a new one with nothing of the old", async () => {
    const first = await host.launch("restarted");
    await host.run("restarted", "echo old > /workspace/file; echo old > /tmp/file");
    const response = await host.manage("POST", "/computers/restarted/restart", {});
    expect(await response.json()).toMatchObject({
      outcome: "relaunched",
      runtimeId: expect.not.stringMatching(first.runtimeId),
    });
    await host.launch("restarted");
    expect((await host.run("restarted", "ls /workspace; cat /tmp/file")).stdout).toBe("");
  });

  test("the daemon knows the runtime by the id that the host gave", async () => {
    const { runtimeId } = await host.launch("known");
    expect((await host.session("known")).hello).toMatchObject({ runtimeId, mount: "fuse" });
  });
});

describe("computers", () => {
  test("tools are found in PATH, files lie in /workspace", async () => {
    await host.launch("files");
    const { stdout } = await host.run("files", "greet; pwd; echo text > f; cat /workspace/f");
    expect(stdout).toBe("greetings\n/workspace\ntext\n");
  });

  test("one id's files, processes and network are not another's", async () => {
    await Promise.all([host.launch("left"), host.launch("right")]);
    await host.run(
      "left",
      "echo mine > /workspace/mine; echo mine > /tmp/mine; echo mine > ~/mine; sleep 4343.1 >/dev/null 2>&1 &",
    );
    expect((await host.run("left", "ls /workspace /tmp ~; cat /proc/[0-9]*/comm")).stdout).toMatch(
      /mine.*mine.*mine.*sleep/s,
    );
    const { stdout } = await host.run("right", "ls /workspace /tmp ~; cat /proc/[0-9]*/comm");
    expect(stdout).not.toMatch(/mine|sleep/);
  });
});

describe("ports", () => {
  const SERVER = `perl -MIO::Socket::INET -e '
    my $l = IO::Socket::INET->new(Listen => 9, LocalAddr => "127.0.0.1", LocalPort => 3000, ReuseAddr => 1) or die;
    print STDOUT "up\\n"; close STDOUT;
    while (my $c = $l->accept) {
      my ($head, $length) = ("", 0);
      while (my $line = <$c>) { last if $line eq "\\r\\n"; $head .= $line; $length = $1 if $line =~ /^content-length: (\\d+)/i }
      read $c, my $body, $length if $length;
      my $answer = $head . $body;
      print $c $head =~ /^upgrade:/im ? "HTTP/1.1 101 Go\\r\\nconnection: upgrade\\r\\nupgrade: echo\\r\\n\\r\\n"
        : "HTTP/1.1 201 Made\\r\\nx-answer: yes\\r\\nset-cookie: a=1\\r\\nset-cookie: b=2\\r\\ncontent-length: " . length($answer) . "\\r\\n\\r\\n$answer";
      if ($head =~ /^upgrade:/im) { while (sysread $c, my $bytes, 100) { syswrite $c, uc $bytes } }
      close $c;
    }' 2>&1 </dev/null &`;

  beforeAll(async () => {
    await host.launch("serving");
    // The server outlives the command that starts it.
    expect((await host.run("serving", `${SERVER} sleep 0.5`)).stdout).toBe("up\n");
  });

  test("a server that a command left running is reached, with method, path, headers and body", async () => {
    const response = await host.port("serving", 3000, "/a%2Fb/../c?d=é&e", {
      method: "PUT",
      body: "bytes",
      headers: { authorization: "Bearer its-own", "x-given": "1" },
    });
    expect(response.status).toBe(201);
    expect(response.statusText).toBe("Made");
    expect(response.headers.get("x-answer")).toBe("yes");
    expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    const text = await response.text();
    expect(text).toMatch(/^PUT \/c\?d=%C3%A9&e HTTP\/1.1\r\n/);
    expect(text).toMatch(/^authorization: Bearer its-own\r\n/m);
    expect(text).toMatch(/^x-given: 1\r\n/m);
    expect(text).toMatch(/bytes$/);
    expect(text).not.toMatch(/computer-host-token/i);
  });

  test("an upgrade joins the two ends", async () => {
    const { request } = await import("node:http");
    const url = new URL(`${host.url}/computers/serving/port/3000/socket`);
    const outgoing = request(url, {
      headers: { connection: "Upgrade", upgrade: "echo", "computer-host-token": "the-token-of-the-test-host-4711" },
    }).end();
    const [response, socket] = await once(outgoing, "upgrade");
    expect(response.statusCode).toBe(101);
    socket.write("shout");
    expect(String((await once(socket, "data"))[0])).toBe("SHOUT");
    socket.destroy();
  });

  test("each computer has its own port 3000, and a port where nothing listens is named", async () => {
    await host.launch("elsewhere");
    const response = await host.port("elsewhere", 3000, "/");
    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject({ code: "EPORT", message: expect.stringContaining("port 3000") });
  });

  test("the daemon wants its own secret behind the host's token", async () => {
    const { clientSecret } = await host.launch("serving");
    expect((await host.port("serving", 8080, "/health")).status).toBe(200);
    expect((await host.port("serving", 8080, "/api")).status).toBe(401);
    const socket = host.socket("serving", 8080, "/api", { authorization: "Bearer wrong" });
    const [, refusal] = await once(socket, "unexpected-response");
    expect(refusal.statusCode).toBe(401);
    const allowed = host.socket("serving", 8080, "/api", { authorization: `Bearer ${clientSecret}` });
    await once(allowed, "open");
    allowed.close();
  });
});

describe("ending", () => {
  test("DELETE ends the processes, unmounts and removes the state; twice is once", async () => {
    await host.launch("deleted");
    await host.run("deleted", "sleep 4343.2 >/dev/null 2>&1 & sleep 4343.2 >/dev/null 2>&1 &");
    expect(pids("sleep 4343.2")).toHaveLength(2);
    const before = leftovers(host.state);
    expect((await host.manage("DELETE", "/computers/deleted")).status).toBe(204);
    expect(pids("sleep 4343.2")).toEqual([]);
    const after = leftovers(host.state);
    expect([before.mounts - after.mounts, before.directories - after.directories]).toEqual([1, 1]);
    expect((await host.manage("DELETE", "/computers/deleted")).status).toBe(204);
    expect(await host.status("deleted")).toMatchObject({ running: false, exit: { reason: "stopped" } });
  });

  test("a daemon that is killed is noticed, and the next start gives a new runtime", async () => {
    const first = await host.launch("crashed");
    await host.run("crashed", "sleep 4343.3 >/dev/null 2>&1 &");
    const running = leftovers(host.state);
    for (const pid of daemonsOf(first.runtimeId)) process.kill(pid, "SIGKILL");
    while ((await host.status("crashed")).running) await sleep(10);
    while (leftovers(host.state).directories === running.directories) await sleep(10);
    expect(await host.status("crashed")).toMatchObject({
      running: false,
      exit: { reason: "crashed: its daemon killed by SIGKILL" },
    });
    expect(leftovers(host.state).mounts).toBe(running.mounts - 1);
    expect(pids("sleep 4343.3")).toEqual([]);
    expect((await host.port("crashed", 8080, "/health")).status).toBe(503);
    const second = await host.launch("crashed");
    expect(second.outcome).toBe("launched");
    expect(second.runtimeId).not.toBe(first.runtimeId);
    expect((await host.run("crashed", "echo well")).stdout).toBe("well\n");
  });

  test("X-09 a silent command is activity; after its end the timeout applies", async () => {
    await host.launch("idle");
    await host.manage("PUT", "/computers/idle/inactivity", { ms: 500 });
    expect(await host.run("idle", "sleep 4; echo done")).toMatchObject({ code: 0, stdout: "done\n" });
    expect((await host.status("idle")).running).toBe(true);
    while ((await host.status("idle")).running) await sleep(50);
    while ((await host.status("idle")).exit === null) await sleep(10);
    expect((await host.status("idle")).exit?.reason).toBe("idle");
  });

  test.each(["SIGTERM", "SIGINT"] as const)("%s to the host leaves no mount, process or directory", async (signal) => {
    const own = await HostFixture.start();
    const started = await Promise.all(["a", "b", "c"].map((id) => own.launch(id)));
    await own.run("a", "sleep 4343.4 >/dev/null 2>&1 &");
    expect(leftovers(own.state)).toEqual({ mounts: 3, directories: 3 });
    expect(await own.stop(signal)).toBe(0);
    expect(existsSync(own.state)).toBe(false);
    expect(leftovers(own.state).mounts).toBe(0);
    expect(pids("sleep 4343.4")).toEqual([]);
    expect(started.flatMap(({ runtimeId }) => daemonsOf(runtimeId))).toEqual([]);
    rmSync(dirname(own.state), { recursive: true });
  });

  test("what a killed host left is cleaned by the next one, daemons that were stopped too", async () => {
    const state = newStatePath();
    const killed = await HostFixture.start({ state });
    const [, stuck] = await Promise.all([killed.launch("a"), killed.launch("b")]);
    await killed.run("b", "sleep 4343.5 >/dev/null 2>&1 &");
    for (const pid of daemonsOf(stuck.runtimeId)) process.kill(pid, "SIGSTOP");
    killed.process.kill("SIGKILL");
    await once(killed.process, "exit");
    expect(readdirSync(state).length).toBeGreaterThan(1);

    const next = await HostFixture.start({ state });
    expect((await next.launch("a")).outcome).toBe("launched");
    expect(leftovers(state)).toEqual({ mounts: 1, directories: 1 });
    expect(daemonsOf(stuck.runtimeId)).toEqual([]);
    expect(pids("sleep 4343.5")).toEqual([]);
    await next.stop();
    rmSync(dirname(state), { recursive: true });
  });
});

function leftovers(state: string): { mounts: number; directories: number } {
  const mounts = readFileSync("/proc/self/mounts", "utf8")
    .split("\n")
    .filter((line) => line.includes(` ${state}/`)).length;
  const names = existsSync(state) ? readdirSync(state, { withFileTypes: true }) : [];
  return { mounts, directories: names.filter((entry) => entry.isDirectory()).length };
}

/** Processes whose command line has this text. */
function pids(text: string): number[] {
  return spawnSync("pgrep", ["-f", text], { encoding: "utf8" }).stdout.split("\n").filter(Boolean).map(Number);
}

/** The daemon process of one runtime. */
function daemonsOf(runtimeId: string): number[] {
  return readdirSync("/proc")
    .filter((name) => {
      try {
        return /^\d+$/.test(name) && readFileSync(`/proc/${name}/environ`, "utf8").includes(`RUNTIME_ID=${runtimeId}`);
      } catch {
        return false;
      }
    })
    .map(Number);
}

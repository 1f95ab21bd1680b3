import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HostFixture, TOKEN } from "./host-fixture.ts";

const MARK = `planted-${randomBytes(6).toString("hex")}`;
const SECRET = `secret-${randomBytes(12).toString("hex")}`;
const PLACES = ["/root", "/home", "/tmp", "/var/tmp", "/run", "/opt", "/srv", "/etc", "/var/lib"].filter(existsSync);
const KEYCTL = process.arch === "arm64" ? 219 : 250;
const CLONE = process.arch === "arm64" ? 220 : 56;

const home = mkdtempSync(join(tmpdir(), "escape-home-"));
let host: HostFixture;
let pids: { host: number; daemon: number; other: number };
let listener: Server;

beforeAll(async () => {
  for (const place of PLACES) writeFileSync(join(place, MARK), SECRET);
  mkdirSync(join(home, ".ssh"));
  writeFileSync(join(home, ".ssh", MARK), SECRET);
  host = await HostFixture.start({ env: { PLANTED: SECRET, HOME: home, AWS_SECRET_ACCESS_KEY: SECRET } });
  const [{ runtimeId }, other] = await Promise.all([host.launch("attacker"), host.launch("victim")]);
  pids = { host: host.process.pid!, daemon: daemonOf(runtimeId), other: daemonOf(other.runtimeId) };
  const plant = ["/workspace", "/tmp", "/run", "$HOME"].map((place) => `echo ${SECRET} > ${place}/${MARK}`).join("; ");
  await host.run("victim", `${plant}; (PLANTED=${SECRET} sleep 4444.1) >/dev/null 2>&1 &`);
  listener = createServer((socket) => socket.destroy());
  listener.listen({ path: `\0${MARK}` });
  await once(listener, "listening");
});

afterAll(async () => {
  listener.close();
  await host.stop();
  for (const place of PLACES) rmSync(join(place, MARK));
  rmSync(home, { recursive: true });
  rmSync(dirname(host.state), { recursive: true });
});

const inside = (source: string) => host.run("attacker", source);

/** The same on the machine itself, in mounts of its own: shows that the attempt does work where nothing stops it. */
function outside(source: string): string {
  const { stdout, stderr } = spawnSync("unshare", ["--mount", "--propagation", "private", "/bin/sh", "-c", source], {
    encoding: "utf8",
  });
  return stdout + stderr;
}

// Each says so when it gets through, and leaves the machine as it was even then.
const connect = (peer: string) => `perl -MIO::Socket -e 'my $s = ${peer} or exit 1; print "THROUGH\\n"'`;
const through = (attempt: string) => `${attempt} && echo THROUGH; true`;
const ATTEMPTS: readonly [name: string, source: () => string][] = [
  ["mounting over a system folder", () => through("mount --bind /tmp /usr")],
  ["mounting a file system", () => through("mount -t tmpfs none /tmp")],
  [
    "mounting by the newer calls",
    () => "perl -e 'my $t = q(tmpfs); print syscall(430, $t, 0) >= 0 ? qq(THROUGH\\n) : 0'",
  ],
  ["unmounting what covers something", () => through("mount -t tmpfs none /tmp && umount /tmp")],
  ["writing to /usr", () => through(`touch /usr/${MARK} && rm /usr/${MARK}`)],
  ["writing to /usr/bin", () => through(`touch /usr/bin/${MARK} && rm /usr/bin/${MARK}`)],
  ["writing to /etc", () => through(`touch /etc/x${MARK} && rm /etc/x${MARK}`)],
  ["writing to /", () => through(`touch /${MARK} && rm /${MARK}`)],
  ["the times of a system file", () => through("touch -r /usr/bin/env /usr/bin/env")],
  ["the mode of a system file", () => through('chmod "$(stat -c %a /usr/bin/env)" /usr/bin/env')],
  ["the mode of the machine's device nodes", () => through("chmod 666 /dev/null")],
  ["the times of the machine's device nodes", () => through("touch -r /dev/zero /dev/zero")],
  ["making a device node", () => through(`mknod /tmp/d${MARK} b 254 0 && rm /tmp/d${MARK}`)],
  [
    "the program the kernel runs for a crash",
    () => through('p=$(cat /proc/sys/kernel/core_pattern); echo "$p" > /proc/sys/kernel/core_pattern'),
  ],
  ["a setting of the kernel", () => through("p=$(cat /proc/sys/vm/swappiness); echo $p > /proc/sys/vm/swappiness")],
  ["the kernel's command line", () => through("test -s /proc/cmdline && test -f /proc/cmdline")],
  ["the kernel's keys, listed", () => through("test -f /proc/keys")],
  ["the kernel's keys, called", () => `perl -e 'print syscall(${KEYCTL}, 0, -3, 1) > 0 ? qq(THROUGH\\n) : 0'`],
  ["/sys", () => through("test -d /sys/kernel")],
  ["a user namespace", () => through("unshare --user true")],
  [
    "a user namespace by clone",
    () =>
      `perl -e 'my $p = syscall(${CLONE}, 0x10000011, 0, 0, 0, 0); exit if $p == 0; print $p > 0 ? qq(THROUGH\\n) : 0'`,
  ],
  ["a mount namespace", () => through("unshare --mount true")],
  ["a network namespace", () => through("unshare --net true")],
  ["another's namespaces", () => through("nsenter --target $$ --mount true")],
  ["chroot", () => through("chroot / true")],
  ["becoming another user", () => through("setpriv --reuid 65534 true")],
  ["real-time priority", () => through("chrt -f 1 true")],
  ["the machine's accounts", () => through("test -e /etc/shadow")],
  ["a signal to the host", () => through(`kill -0 ${pids.host}`)],
  ["a signal to its own daemon", () => through(`kill -0 ${pids.daemon}`)],
  ["a signal to another's daemon", () => through(`kill -0 ${pids.other}`)],
  ["the daemon's environment", () => through(`grep -q RPC_CLIENT_SECRET /proc/${pids.daemon}/environ`)],
  ["the host's environment, anywhere", () => through(`cat /proc/[0-9]*/environ 2>/dev/null | grep -q ${SECRET}`)],
  ["the daemon's secret, anywhere", () => through("cat /proc/[0-9]*/environ 2>/dev/null | grep -q RPC_CLIENT_SECRET")],
  ["the daemon's memory", () => through(`test -e /proc/${pids.daemon}/mem`)],
  ["the daemon's files", () => through(`ls /proc/${pids.daemon}/root`)],
  ["the host's state", () => through(`test -e ${host.state}`)],
  ["the home of who started the host", () => through(`cat ${home}/.ssh/${MARK}`)],
  ...PLACES.map((place) => [`a secret in ${place}`, () => through(`cat ${place}/${MARK}`)] as [string, () => string]),
  ["the host's port", () => connect(`IO::Socket::INET->new("127.0.0.1:${new URL(host.url).port}")`)],
  ["a socket without a file", () => connect(`IO::Socket::UNIX->new(Peer => qq(\\0${MARK}))`)],
  ["a way out of the network", () => through("tail -n +2 /proc/net/route | grep -q .")],
];

describe.each(ATTEMPTS)("%s", (_, source) => {
  test("is out of a command's reach", async () => {
    const { stdout } = await inside(source());
    expect(stdout).not.toContain("THROUGH");
  });

  test("is in reach without the sandbox", () => {
    expect(outside(source())).toContain("THROUGH");
  });
});

describe("what a command is", () => {
  test("it has no capability, and no way to one", async () => {
    const wanted = { CapInh: 0, CapPrm: 0, CapEff: 0, CapBnd: 0, CapAmb: 0, NoNewPrivs: 1, Seccomp: 2 };
    const { stdout } = await inside(`grep -E '^(${Object.keys(wanted).join("|")}):' /proc/self/status`);
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => line.split(/:\s+/));
    expect(Object.fromEntries(lines.map(([name, value]) => [name, Number.parseInt(value!, 16)]))).toEqual(wanted);
  });

  test("the same holds for a program whose file would give it more", async () => {
    expect((await inside("test -u /usr/bin/su || test -u /bin/su || test -u /usr/bin/passwd")).code).toBe(0);
    expect((await inside("mount | grep -E ' / | /usr | /workspace ' | grep -vc nosuid")).stdout).toBe("0\n");
  });

  test("it has its three descriptors and no more", async () => {
    const { stdout } = await inside(
      "exec perl -e 'opendir D, q(/proc/self/fd); print join q( ), sort grep /\\d/, readdir D'",
    );
    expect(stdout).toBe("0 1 2 3");
  });

  test("no process in there has the mount's connection to the kernel", async () => {
    expect((await inside("ls /proc/1/fd")).stdout).toBe("0\n1\n2\n");
    expect((await inside("ls -l /proc/[0-9]*/fd | grep -c /dev/fuse")).stdout).toBe("0\n");
    expect(outside(`ls -l /proc/${pids.daemon}/fd`)).toContain("/dev/fuse");
  });

  test("it knows the variables it was given and no more", async () => {
    const { stdout } = await inside("exec cat /proc/self/environ");
    const names = stdout
      .split("\0")
      .filter(Boolean)
      .map((entry) => entry.split("=")[0]!);
    expect(names.sort()).toEqual(["HOME", "LANG", "PATH", "PWD", "SHELL", "TERM"]);
  });

  test("the first process has an empty environment", async () => {
    expect((await inside("cat /proc/1/environ | wc -c; cat /proc/self/environ | wc -c")).stdout).toMatch(/^0\n[1-9]/);
  });

  test("the processes it sees are its computer's own", async () => {
    const { stdout } = await inside("cat /proc/[0-9]*/comm | sort -u");
    expect(
      stdout
        .trim()
        .split("\n")
        .filter((name) => !["cat", "sh", "sort"].includes(name)),
    ).toEqual(["perl"]);
  });

  test("its sockets are of the families that have namespaces", async () => {
    const { stdout } = await inside(
      "perl -e 'for (1, 2, 10, 16, 17, 38, 40) { print $_, socket(my $s, $_, $_ == 16 ? 3 : 1, 0) ? qq( yes\\n) : qq( $!\\n) }'",
    );
    const no = "Address family not supported by protocol";
    expect(stdout).toBe(["1 yes", "2 yes", "10 yes", "16 yes", `17 ${no}`, `38 ${no}`, `40 ${no}`, ""].join("\n"));
  });
});

describe("another computer", () => {
  test("its files are nowhere to be found", async () => {
    const find = `find / -path /proc -prune -o -name ${MARK} -print`;
    expect((await inside(find)).stdout).toBe("");
    const own = (await host.run("victim", find)).stdout.trim().split("\n").sort();
    expect(own).toEqual([`/home/computer/${MARK}`, `/run/${MARK}`, `/tmp/${MARK}`, `/workspace/${MARK}`]);
  });

  test("its processes outlive a signal to all", async () => {
    expect((await host.run("victim", "cat /proc/[0-9]*/comm")).stdout).toContain("sleep");
    await inside("sleep 4444.2 >/dev/null 2>&1 &");
    expect((await inside("cat /proc/[0-9]*/comm")).stdout).toContain("sleep");
    expect((await inside("kill -KILL -1; kill -KILL 1; echo on")).stdout).toBe("on\n");
    expect((await inside("cat /proc/[0-9]*/comm")).stdout).not.toContain("sleep");
    expect((await host.run("victim", "cat /proc/[0-9]*/comm")).stdout).toContain("sleep");
    expect((await host.status("attacker")).running).toBe(true);
  });

  test("its daemon does not take this one's secret, nor the host's", async () => {
    const { clientSecret } = await host.launch("attacker");
    const ask = async (id: string, secret: string) =>
      (await host.port(id, 8080, "/api", { headers: { authorization: `Bearer ${secret}` } })).status;
    expect(await ask("victim", clientSecret)).toBe(401);
    expect(await ask("victim", TOKEN)).toBe(401);
    expect(await ask("attacker", clientSecret)).not.toBe(401);
  });
});

describe("links in the workspace", () => {
  test("lead to the sandbox's files for a command, and nowhere for who reads the workspace", async () => {
    await inside(`ln -s /root/${MARK} file; ln -s /root dir; ln -s /etc/passwd passwd`);
    expect((await inside("cat passwd")).stdout).toContain("/home/computer");
    expect((await inside(`cat file dir/${MARK}`)).stdout).toBe("");
    const { rpc } = await host.session("attacker");
    expect(await rpc.sync.readEntry("/workspace/file")).toMatchObject({ kind: "symlink", target: `/root/${MARK}` });
    expect(await rpc.sync.readEntry(`/workspace/dir/${MARK}`)).toBeNull();
  });
});

function daemonOf(runtimeId: string): number {
  const found = readdirSync("/proc").find((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/environ`, "utf8").includes(`RUNTIME_ID=${runtimeId}`);
    } catch {
      return false;
    }
  });
  return Number(found);
}

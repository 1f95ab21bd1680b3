/** What `scripts/setup.sh` does on machines other than this one, played by commands that only take notes. */

import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const PLAIN = "bash cat chmod cp cut dirname env grep mkdir sed sh sha256sum sleep sort tail".split(" ");
const LISTED = ["fusermount3", "bwrap", "perl", "setsid", "git", "pdftotext"];

let machine: string;
let checkout: string;
let bin: string;

beforeEach(() => {
  machine = mkdtempSync(join(tmpdir(), "setup test "));
  checkout = join(machine, "a checkout");
  bin = join(machine, "bin");
  mkdirSync(join(checkout, "scripts"), { recursive: true });
  mkdirSync(bin);
  for (const file of [
    "scripts/setup.sh",
    "scripts/system-needs.txt",
    "package.json",
    "pnpm-lock.yaml",
    "pnpm-workspace.yaml",
  ]) {
    cpSync(join(ROOT, file), join(checkout, file));
  }
  for (const name of PLAIN) {
    const real = execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim();
    symlinkSync(real, join(bin, name));
  }
  for (const name of LISTED) command(name, "");
  command("ldconfig", 'echo "	libfuse.so.2 (libc6,x86-64) => /lib/libfuse.so.2"');
  command("id", "echo 0");
  command(
    "npx",
    `mkdir -p node_modules/.bin
     for name in node vitest; do printf '#!/bin/sh\\necho 24.21.0\\n' >node_modules/.bin/$name; done
     chmod +x node_modules/.bin/*`,
  );
});

afterEach(() => rmSync(machine, { recursive: true, force: true }));

/** Puts a command on the machine, which notes its arguments before it does what it does. */
function command(name: string, does: string): void {
  writeFileSync(join(bin, name), `#!/bin/bash\nprintf '%s\\n' "${name} $*" >>${JSON.stringify(notes())}\n${does}\n`);
  chmodSync(join(bin, name), 0o755);
}

function notes(): string {
  return join(machine, "notes");
}

/** Runs the set-up from another folder and without input; what the noting commands were called with comes back too. */
function setUp(): { code: number | null; said: string; calls: string[] } {
  writeFileSync(notes(), "");
  const run = spawnSync(join(bin, "bash"), [join(checkout, "scripts", "setup.sh")], {
    cwd: "/",
    env: { PATH: bin, CI: "true" },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  const calls = readFileSync(notes(), "utf8")
    .split("\n")
    .filter((line) => /^(npx|apt-get|sudo)/.test(line));
  return { code: run.status, said: run.stdout + run.stderr, calls };
}

/** Takes away what the package brings, and puts an apt-get there that brings it back. */
function without(name: string): void {
  rmSync(join(bin, name));
  command("apt-cache", "exit 0");
  command(
    "apt-get",
    `case "$*" in *install*) cp ${JSON.stringify(join(bin, "git"))} ${JSON.stringify(join(bin, name))} ;; esac`,
  );
}

test("with all Debian packages there, npm packages are installed once, and again when the lock file changes", () => {
  const first = setUp();
  expect(first.code, first.said).toBe(0);
  expect(first.calls).toEqual(["npx -y pnpm@12.21.0 install --frozen-lockfile"]);
  expect(setUp()).toEqual({ code: 0, said: "", calls: [] });
  appendFileSync(join(checkout, "pnpm-lock.yaml"), "\n");
  expect(setUp().calls).toEqual(["npx -y pnpm@12.21.0 install --frozen-lockfile"]);
  rmSync(join(checkout, "node_modules"), { recursive: true });
  expect(setUp().calls).toEqual(["npx -y pnpm@12.21.0 install --frozen-lockfile"]);
});

test("as root, a missing Debian package is installed, and the step is named", () => {
  without("bwrap");
  const { code, said, calls } = setUp();
  expect(code, said).toBe(0);
  expect(calls.slice(0, 2)).toEqual([
    "apt-get update -q",
    "apt-get -o DPkg::Lock::Timeout=120 install -y -q --no-install-recommends bubblewrap",
  ]);
  expect(said).toContain("[setup] installing Debian packages (bubblewrap) ...");
  expect(said).toMatch(/installing Debian packages \(bubblewrap\): done in \d+ s/);
});

test("the name that this release of Debian has is the one installed", () => {
  command("ldconfig", "");
  command("apt-cache", '[ "$2" = libfuse2t64 ]');
  command("apt-get", "");
  const { code, said, calls } = setUp();
  expect(calls[1]).toContain("install -y -q --no-install-recommends libfuse2t64");
  expect(code).toBe(1);
  expect(said).toContain("still missing after the installation: libfuse2|libfuse2t64");
});

test("with neither root nor sudo, it names the command to run and goes on with the rest", () => {
  without("pdftotext");
  command("id", "echo 1000");
  const { code, said, calls } = setUp();
  expect(code, said).toBe(0);
  expect(said).toContain("Run:  apt-get update && apt-get install -y poppler-utils");
  expect(calls).toEqual(["npx -y pnpm@12.21.0 install --frozen-lockfile"]);
});

test("with sudo that asks nothing, sudo installs", () => {
  without("pdftotext");
  command("id", "echo 1000");
  command("sudo", 'shift; "$@"');
  const { code, said, calls } = setUp();
  expect(code, said).toBe(0);
  expect(calls).toContain("apt-get -o DPkg::Lock::Timeout=120 install -y -q --no-install-recommends poppler-utils");
});

test("a failing installation ends it with what the installer said, and leaves no mark that it was done", () => {
  command("npx", "echo no space left on device; exit 7");
  const { code, said } = setUp();
  expect(code).toBe(1);
  expect(said).toContain("no space left on device");
  expect(setUp().calls).toEqual(["npx -y pnpm@12.21.0 install --frozen-lockfile"]);
});

test("a Node that npm did not really install is noticed", () => {
  command(
    "npx",
    `mkdir -p node_modules/.bin; printf '#!/bin/sh\\necho 20.1.0\\n' >node_modules/.bin/node; chmod +x node_modules/.bin/node`,
  );
  const { code, said } = setUp();
  expect(code).toBe(1);
  expect(said).toContain("node_modules/.bin/node is 20.1.0; 22.12 or newer is needed");
});

/** Records what this machine's bash and GNU tools give for the suite's scripts: `node packages/computer/test/shell-differential/record.ts`. */

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fixture } from "./fixture.ts";
import { type Recorded, type Recording, scriptsOf, type Topic, topics } from "./scripts.ts";

const HERE = import.meta.dirname;
const TOOLS = ["bash", "grep", "sed", "find", "sort", "diff", "xargs", "tar", "gzip", "jq"];

function run(topic: Topic, script: string): Recorded {
  const directory = mkdtempSync(join(tmpdir(), "differential-"));
  try {
    for (const [path, content] of Object.entries(fixture)) {
      mkdirSync(dirname(join(directory, path)), { recursive: true });
      writeFileSync(join(directory, path), content);
    }
    const { status, signal, stdout, stderr } = spawnSync("bash", ["-c", script], {
      cwd: directory,
      env: { PATH: "/usr/bin:/bin", LC_ALL: "C.UTF-8", TZ: "UTC", HOME: directory, USER: "root", TERM: "dumb" },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: 20_000,
    });
    const code = status ?? (signal === "SIGKILL" ? 137 : 143);
    return { topic, script, code, stdout: kept(stdout), stderr: stderr.toString().replaceAll(directory, ".") };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function kept(bytes: Buffer): Recorded["stdout"] {
  const text = bytes.toString("utf8");
  return Buffer.from(text).equals(bytes) ? text : { base64: bytes.toString("base64") };
}

const scripts: Recorded[] = [];
for (const topic of topics) {
  for (const script of scriptsOf(readFileSync(join(HERE, `scripts/${topic}.txt`), "utf8"))) {
    const recorded = run(topic, script);
    const again = run(topic, script);
    if (JSON.stringify(recorded) !== JSON.stringify(again)) console.warn(`not the same twice, left out: ${script}`);
    else if (
      /^(?:bash: line \d+: )?(?:\w+: )?(\w+): command not found/m.test(recorded.stderr) &&
      !/nosuch/.test(script)
    ) {
      console.warn(`not on this machine, left out: ${script}`);
    } else scripts.push(recorded);
  }
}
const tools = Object.fromEntries(
  TOOLS.map((tool) => [tool, spawnSync(tool, ["--version"]).stdout.toString().split("\n")[0] ?? ""]),
);
const recording: Recording = { tools, scripts };
writeFileSync(join(HERE, "recorded.json"), `${JSON.stringify(recording, null, 2)}\n`);
console.log(`${scripts.length} scripts recorded`);

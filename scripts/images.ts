/**
 * `npm run images`: builds the container images of `container/`, tries each, and says how large it is.
 *
 * `npm run images -- --contents` only makes what they are built of, for `wrangler deploy` and `wrangler dev`, which build them themselves.
 */

import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { ROOT } from "./checkout.ts";
import { docker, imageContents } from "./docker.ts";

const IMAGES = {
  base: "git init -q /workspace/repo && git --version && curl --version | head -1",
  pandoc:
    "cd /workspace && printf '# One\\n\\nText.\\n' > a.md && pandoc a.md -o a.pdf --pdf-engine=typst && head -c 5 a.pdf",
} as const;
const PATIENCE_MS = 60_000;

const [option, ...more] = process.argv.slice(2);
if (more.length > 0 || (option !== undefined && option !== "--contents")) {
  console.error(`[images] there is no option ${[option, ...more].join(" ")}; there is --contents`);
  process.exit(2);
}
await imageContents((line) => console.log(`[images] ${line}`));
if (option === undefined) {
  for (const [name, command] of Object.entries(IMAGES)) {
    const tag = `computer-${name}`;
    console.log(`[images] building ${tag} ...`);
    execFileSync("docker", ["build", "-f", `container/${name}.Dockerfile`, "-t", tag, "."], {
      cwd: ROOT,
      stdio: "inherit",
    });
    const modes = existsSync("/dev/fuse") ? (["fuse", "files"] as const) : (["files"] as const);
    for (const mode of modes) await tryOut(tag, mode, command);
    const bytes = Number(docker("image", "inspect", "--format", "{{.Size}}", tag));
    console.log(`[images] ${tag}: ${Math.round(bytes / 1e6)} MB`);
  }
}

/** Runs a container, asks its daemon how it is, and runs a command beside it. */
async function tryOut(tag: string, mode: "fuse" | "files", command: string): Promise<void> {
  // What a command line says everybody on the machine can read; this secret is for a container that is gone at once.
  const secret = `RPC_CLIENT_SECRET=${randomBytes(16).toString("hex")}`;
  const rights =
    mode === "fuse" ? ["--device", "/dev/fuse", "--cap-add", "SYS_ADMIN", "--security-opt", "apparmor=unconfined"] : [];
  const id = docker("run", "--detach", "--rm", "--publish", "127.0.0.1::8080", "--env", secret, ...rights, tag);
  try {
    const [address = ""] = docker("port", id, "8080").split("\n");
    const health = await healthOf(`http://${address}/health`, id);
    if (health.mount !== mode) throw new Error(`${tag} has its files by ${health.mount} and not by ${mode}`);
    const unauthorized = (await fetch(`http://${address}/api`)).status;
    if (unauthorized !== 401) throw new Error(`${tag} answered ${unauthorized} to a caller without the secret`);
    const said = docker("exec", id, "sh", "-c", command);
    console.log(`[images] ${tag}, ${mode}: ${said.replaceAll("\n", "; ")}`);
  } finally {
    docker("stop", "--time", "10", id);
  }
}

async function healthOf(url: string, id: string): Promise<{ mount: string }> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok) return (await response.json()) as { mount: string };
    if (Date.now() > deadline) throw new Error(`the container does not answer:\n${docker("logs", id)}`);
    await sleep(100);
  }
}

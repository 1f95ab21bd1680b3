/** What is needed of Docker, and what the images are built of. */

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { buildDocumentTools } from "@cloudflare/computer-document-tools";
import { ROOT } from "./checkout.ts";

/** Runs docker and gives what it said. */
export function docker(...args: string[]): string {
  return execFileSync("docker", args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
}

/** Throws with what to do where there is no Docker that can be used. */
export function needDocker(): void {
  try {
    docker("version", "--format", "{{.Server.Version}}");
  } catch (error) {
    const { code, stderr } = error as { code?: string; stderr?: string };
    const why =
      code === "ENOENT"
        ? "docker is not installed"
        : `docker does not answer: ${String(stderr)
            .trim()
            .replace(/[.?]+$/, "")}`;
    throw new Error(`containers need Docker, and ${why}. Install and start it; npm run demo and npm test do without.`);
  }
}

/** Makes what the Dockerfiles copy: the daemon as one executable, and the commands pandoc and typst. */
export async function imageContents(log: (line: string) => void): Promise<void> {
  log("computerd as one executable ...");
  const build = join(ROOT, "packages", "computerd", "scripts", "executable", "build.ts");
  execFileSync(process.execPath, [build], { cwd: ROOT, stdio: ["ignore", "ignore", "pipe"] });
  log("pandoc and typst ...");
  await buildDocumentTools();
}

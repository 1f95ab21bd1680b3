/** A real git server with the repository that is cloned: `git http-backend` behind a small server of Node's. */

import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FILES, PER_DIRECTORY } from "./operations.ts";

export interface GitServer {
  /** The repository's address. */
  readonly url: string;
  close(): Promise<void>;
}

export async function startGitServer(): Promise<GitServer> {
  const root = mkdtempSync(join(tmpdir(), "bench-git-server-"));
  const work = join(root, "work");
  for (let i = 0; i < FILES; i++) {
    const folder = join(work, `d${Math.floor(i / PER_DIRECTORY)}`);
    if (i % PER_DIRECTORY === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `f${i}.txt`), `file ${i}\n`.repeat(10));
  }
  const git = (...argv: string[]): void => {
    const identity = ["-c", "user.name=Bench", "-c", "user.email=bench@example.org"];
    execFileSync("git", ["-C", work, ...identity, ...argv], { stdio: "ignore" });
  };
  git("init", "-q", "-b", "main");
  git("add", ".");
  git("commit", "-qm", "all");
  execFileSync("git", ["clone", "-q", "--bare", work, join(root, "repo.git")], { stdio: "ignore" });
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    const child = spawn("git", ["http-backend"], {
      env: {
        ...process.env,
        GIT_PROJECT_ROOT: root,
        GIT_HTTP_EXPORT_ALL: "1",
        PATH_INFO: pathname,
        QUERY_STRING: searchParams.toString(),
        REQUEST_METHOD: request.method ?? "GET",
        CONTENT_TYPE: request.headers["content-type"] ?? "",
      },
    });
    request.pipe(child.stdin);
    const pieces: Buffer[] = [];
    child.stdout.on("data", (piece: Buffer) => pieces.push(piece));
    child.on("close", () => {
      const answer = Buffer.concat(pieces);
      const end = answer.indexOf("\r\n\r\n");
      for (const line of answer.toString("latin1", 0, end).split("\r\n")) {
        const colon = line.indexOf(": ");
        if (!line.startsWith("Status")) response.setHeader(line.slice(0, colon), line.slice(colon + 2));
      }
      response.end(answer.subarray(end + 4));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/repo.git`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(root, { recursive: true, force: true });
    },
  };
}

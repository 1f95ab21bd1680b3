/** A real git server on loopback: `git http-backend` behind a small server of Node's. */

import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface HttpBackend {
  /** Without a slash at its end. */
  readonly url: string;
  /** Where its repositories lie. */
  readonly root: string;
  /** The paths of the requests that came, with their methods. */
  readonly requests: string[];
  /** Runs git in a repository of the server's. */
  git(repository: string, ...argv: string[]): string;
  close(): Promise<void>;
}

const ENVIRONMENT = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_AUTHOR_NAME: "Ann",
  GIT_AUTHOR_EMAIL: "ann@example.org",
  GIT_COMMITTER_NAME: "Ann",
  GIT_COMMITTER_EMAIL: "ann@example.org",
};

/** With `credentials`, `user:password`, nothing is given to anybody else. */
export async function startHttpBackend({ credentials }: { credentials?: string } = {}): Promise<HttpBackend> {
  const root = mkdtempSync(join(tmpdir(), "git-http-"));
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const expected = credentials === undefined ? undefined : `Basic ${Buffer.from(credentials).toString("base64")}`;
    if (expected !== undefined && request.headers.authorization !== expected) {
      response.writeHead(401, { "WWW-Authenticate": 'Basic realm="git"' }).end("who are you?");
      request.resume();
      return;
    }
    serve(root, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    root,
    requests,
    git(repository, ...argv) {
      const cwd = join(root, repository);
      mkdirSync(cwd, { recursive: true });
      return execFileSync("git", argv, {
        cwd,
        encoding: "utf8",
        env: { ...process.env, ...ENVIRONMENT },
        stdio: ["ignore", "pipe", "pipe"],
      });
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function serve(root: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? "/", "http://localhost");
  const child = spawn("git", ["http-backend"], {
    env: {
      ...process.env,
      ...ENVIRONMENT,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      REMOTE_USER: "someone",
      PATH_INFO: decodeURIComponent(pathname),
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method ?? "GET",
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      ...(request.headers["content-length"] === undefined ? {} : { CONTENT_LENGTH: request.headers["content-length"] }),
      ...(request.headers["content-encoding"] === undefined
        ? {}
        : { HTTP_CONTENT_ENCODING: request.headers["content-encoding"] }),
      GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
    },
  });
  request.pipe(child.stdin);
  child.stdin.on("error", () => {});
  let head = Buffer.alloc(0);
  let sent = false;
  child.stdout.on("data", (piece: Buffer) => {
    if (sent) {
      response.write(piece);
      return;
    }
    head = Buffer.concat([head, piece]);
    const end = head.indexOf("\r\n\r\n");
    if (end < 0) return;
    sent = true;
    const headers: [string, string][] = head
      .toString("latin1", 0, end)
      .split("\r\n")

      .map((line: string) => line.split(": ") as [string, string]);
    const status = headers.find(([name]) => name === "Status")?.[1] ?? "200";
    response.writeHead(Number.parseInt(status, 10), headers.filter(([name]) => name !== "Status").flat());
    response.write(head.subarray(end + 4));
  });
  child.on("close", () => response.end());
}

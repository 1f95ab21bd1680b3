/** The whole way through on a real dev server: prompt → image → file in a Durable Object → link. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DevServer, startDevServer } from "../../../scripts/local-stack.ts";
import { drawPicture } from "../src/drawing/draw-picture.ts";

const EXAMPLE = join(import.meta.dirname, "..");

const state = mkdtempSync(join(tmpdir(), "image-test-"));
let server: DevServer;

async function start(): Promise<DevServer> {
  return startDevServer({ host: { url: "", token: "" }, state, config: join(EXAMPLE, "wrangler.jsonc") });
}

beforeAll(async () => {
  server = await start();
});

afterAll(async () => {
  await server?.process.stop();
  rmSync(state, { recursive: true, force: true });
});

async function post(
  request: unknown,
  workspace = "test",
): Promise<{ status: number; answer: Record<string, unknown> }> {
  const body = typeof request === "string" ? request : JSON.stringify(request);
  const response = await fetch(`${server.url}/image?workspace=${workspace}`, { method: "POST", body });
  return { status: response.status, answer: (await response.json()) as Record<string, unknown> };
}

test("a prompt becomes an image, and its signed link serves its bytes with their type, after a restart too", async () => {
  const prompt = "Two red boats & a lighthouse at sunset";
  const { status, answer } = await post({ prompt });
  expect(status, JSON.stringify(answer)).toBe(200);
  const { png } = drawPicture(prompt);
  expect(answer).toMatchObject({ bytes: png.length, generator: "local" });
  expect(answer.note).toMatch(/^Drawn by the Worker itself, without a model.* boat ×2, lighthouse/);
  const { pathname } = new URL(answer.image as string);
  expect(pathname).toMatch(/^\/images\/test\/[0-9A-Z]{26}\.\d{10}\.[\w-]{43}$/);

  const link = async (): Promise<void> => {
    const response = await fetch(server.url + pathname);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("image/png");
    expect(response.headers.get("content-disposition")).toMatch(
      /^inline; filename="two-red-boats-a-lighthouse-at-[0-9a-f]{16}\.png"$/,
    );
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(png);
  };
  await link();
  await server.process.stop();
  server = await start();
  await link();
});

test("a link is of one workspace, and refused with a character changed", async () => {
  const { answer } = await post({ prompt: "a boat" });
  const { pathname } = new URL(answer.image as string);
  const last = pathname.endsWith("A") ? "B" : "A";
  for (const path of [pathname.slice(0, -1) + last, pathname.replace("/test/", "/other/"), "/images/test/x.png"]) {
    expect((await fetch(server.url + path)).status, path).toBe(403);
  }
});

test("what is no prompt is refused, and nothing but images is served", async () => {
  for (const request of [{ prompt: " " }, { prompt: "x".repeat(2001) }, { prompt: "x", size: 3 }, {}, "no JSON"]) {
    expect(await post(request)).toMatchObject({ status: 400, answer: { error: { code: "bad_request" } } });
  }
  expect((await post({ prompt: "x" }, "NOT_A_NAME")).answer.error).toMatchObject({
    message: expect.stringContaining("a workspace's name"),
  });
  for (const path of ["images/test/..%2f..%2fx.png", "images/test/", "files/test/x"]) {
    expect((await fetch(`${server.url}/${path}`)).status, path).toBe(404);
  }
});

test("what is no JSON, too long a body and a wrong method are told as such", async () => {
  expect((await post("{")).answer.error).toMatchObject({ message: expect.stringMatching(/^the body must be JSON/) });
  expect(await post({ prompt: "x".repeat(65_536) })).toMatchObject({
    status: 413,
    answer: { error: { code: "bad_request", message: "the body is over 64 KiB" } },
  });
  for (const [method, path, allow] of [
    ["GET", "/image", "POST"],
    ["PUT", "/images/test/x.png", "GET, HEAD"],
    ["POST", "/", "GET, HEAD"],
  ] as const) {
    const refused = await fetch(server.url + path, { method });
    expect(refused.status, path).toBe(405);
    expect(refused.headers.get("allow")).toBe(allow);
  }
});

test("HEAD of an image tells its size and type", async () => {
  const { answer } = await post({ prompt: "a boat" });
  const head = await fetch(server.url + new URL(answer.image as string).pathname, { method: "HEAD" });
  expect(head.status).toBe(200);
  expect(head.headers.get("content-type")).toBe("image/png");
  expect(Number(head.headers.get("content-length"))).toBe(answer.bytes);
});

/** Links that the object serves itself. */

import { env, runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { createAssetLinks, createAssets, serveAsset } from "../../src/assets/index.ts";
import { WorkerJavaScriptBackend } from "../../src/backends/worker-javascript/index.ts";
import { WorkerShellBackend } from "../../src/backends/worker-shell/index.ts";
import { Workspace, type WorkspaceOptions } from "../../src/index.ts";
import { createAssetsModule } from "../../src/modules/assets.ts";

const BASE = "https://example.com/shared/alice";
const HOUR = 3_600_000;

interface Shared {
  readonly workspace: Workspace;
  /** Moves the clock on, in milliseconds. */
  pass(ms: number): void;
  share(path: string, options?: object): Promise<string>;
  get(link: string, init?: RequestInit): Promise<Response>;
}

async function withLinks(test: (shared: Shared) => Promise<void>): Promise<void> {
  await runInDurableObject(env.BARE.get(env.BARE.newUniqueId()), async (_object, { storage }) => {
    let time = Date.UTC(2026, 0, 1);
    const now = (): number => time;
    const workspace = new Workspace({ storage, assets: (ws) => createAssetLinks({ ws, base: BASE, now }) });
    await workspace.fs.mkdir("/workspace/secret-project", { recursive: true });
    await test({
      workspace,
      pass: (ms) => {
        time += ms;
      },
      share: (path, options) => workspace.assets?.share(path, { expiresAfter: HOUR, ...options }) ?? Promise.reject(),
      get: (link, init) => serveAsset(workspace, new Request(link, init), { now }),
    });
  });
}

test("a shared file is had by its link, as it was, and the link says nothing of its path", () =>
  withLinks(async ({ workspace: { fs }, share, get }) => {
    const path = "/workspace/secret-project/plan.txt";
    await fs.writeFile(path, "as it was");
    const link = await share(path);
    await fs.writeFile(path, "changed");
    await fs.rm(path);
    expect(link).toMatch(/^https:\/\/example\.com\/shared\/alice\/[0-9A-Z]{26}\.\d{10}\.[\w-]{43}$/);
    for (const text of [link, Buffer.from(link.slice(BASE.length + 1).replaceAll(".", ""), "base64").toString()]) {
      expect(text).not.toMatch(/plan|secret|workspace/);
    }
    const response = await get(link);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toEqual({
      "content-type": "text/plain; charset=utf-8",
      "content-disposition": 'inline; filename="plan.txt"',
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cache-control": "private, no-cache",
      "accept-ranges": "bytes",
      etag: `"${link.slice(BASE.length + 1, BASE.length + 27)}"`,
    });
    expect(await response.text()).toBe("as it was");
  }));

test("a link with any one character changed is refused", () =>
  withLinks(async ({ workspace: { fs }, share, get }) => {
    await fs.writeFile("/workspace/a", "x");
    const link = await share("/workspace/a");
    const token = link.slice(BASE.length + 1);
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.%";
    let tried = 0;
    for (let at = 0; at < token.length; at++) {
      for (const character of [
        alphabet[at % 66],
        alphabet[(at * 7 + 1) % 66],
        token[at]?.toLowerCase(),
        "0",
        "A",
        "B",
      ]) {
        if (character === undefined || character === token[at]) continue;
        const response = await get(`${BASE}/${token.slice(0, at)}${character}${token.slice(at + 1)}`);
        expect(response.status, `${character} at ${at}`).toBe(403);
        tried++;
      }
    }
    expect(tried).toBeGreaterThan(300);
    for (const other of [`${link}A`, `${BASE}/`, `${BASE}/%00`, `${link}/x`, link.replace(/\.\d+\./, ".9999999999.")]) {
      expect((await get(other)).status, other).toBe(403);
    }
    expect((await get(link)).status).toBe(200);
  }));

test("a link is refused once it has expired, and its copy is removed then", () =>
  withLinks(async ({ workspace: { fs }, share, get, pass }) => {
    await fs.writeFile("/workspace/a", "x");
    const [short, long] = [await share("/workspace/a", { expiresAfter: 1500 }), await share("/workspace/a")];
    expect(await fs.ls("/.computer/shared")).toHaveLength(2);
    pass(1999);
    expect((await get(short)).status).toBe(200);
    pass(1);
    expect((await get(short)).status).toBe(410);
    expect(await fs.ls("/.computer/shared")).toHaveLength(1);
    expect((await get(long)).status).toBe(200);
    pass(HOUR);
    await share("/workspace/a");
    expect(await fs.ls("/.computer/shared")).toHaveLength(1);
    await fs.rm("/.computer/shared", { recursive: true });
    expect((await get(await share("/workspace/a"))).status).toBe(200);
    await fs.rm("/.computer/shared", { recursive: true });
    expect((await get(long)).status).toBe(410);
  }));

test("the link of one workspace is nothing to another", () =>
  withLinks(async ({ workspace: { fs }, share }) => {
    await fs.writeFile("/workspace/a", "x");
    const link = await share("/workspace/a");
    await withLinks(async ({ get }) => expect((await get(link)).status).toBe(403));
  }));

test.each([
  ["page.html", "application/octet-stream", 'attachment; filename="page.html"'],
  ["script.js", "application/octet-stream", 'attachment; filename="script.js"'],
  ["data.xml", "application/octet-stream", 'attachment; filename="data.xml"'],
  ["noname", "application/octet-stream", 'attachment; filename="noname"'],
  ["drawing.svg", "image/svg+xml", 'inline; filename="drawing.svg"'],
  ["photo.png", "image/png", 'inline; filename="photo.png"'],
  ["paper.pdf", "application/pdf", 'inline; filename="paper.pdf"'],
  [
    "Über 100%.txt",
    "text/plain; charset=utf-8",
    "inline; filename=\"_ber 100%.txt\"; filename*=UTF-8''%C3%9Cber%20100%25.txt",
  ],
])("%s is never run by a browser: it comes as %s, %s", (name, type, disposition) =>
  withLinks(async ({ workspace: { fs }, share, get }) => {
    await fs.writeFile(`/workspace/${name}`, "<script>alert(1)</script>");
    const { headers } = await get(await share(`/workspace/${name}`), { method: "HEAD" });
    expect(headers.get("content-type")).toBe(type);
    expect(headers.get("content-disposition")).toBe(disposition);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")?.includes("sandbox") ?? false).toBe(!name.endsWith(".pdf"));
  }),
);

test.each([
  ["bytes=0-3", 206, "0123", "bytes 0-3/10"],
  ["bytes=7-", 206, "789", "bytes 7-9/10"],
  ["bytes=-2", 206, "89", "bytes 8-9/10"],
  ["bytes=-20", 206, "0123456789", "bytes 0-9/10"],
  ["bytes=5-100", 206, "56789", "bytes 5-9/10"],
  ["bytes=10-", 416, "The shared file does not have these bytes.\n", "bytes */10"],
  ["bytes=-0", 416, "The shared file does not have these bytes.\n", "bytes */10"],
  ["bytes=4-2", 200, "0123456789", null],
  ["bytes=0-1,3-4", 200, "0123456789", null],
  ["lines=0-1", 200, "0123456789", null],
])("a request for the range %s is answered with %d", (range, status, text, contentRange) =>
  withLinks(async ({ workspace: { fs }, share, get }) => {
    await fs.writeFile("/workspace/a", "0123456789");
    const response = await get(await share("/workspace/a"), { headers: { range } });
    expect([response.status, await response.text()]).toEqual([status, text]);
    expect(response.headers.get("content-range")).toBe(contentRange);
  }),
);

test("methods, conditions and an empty file", () =>
  withLinks(async ({ workspace: { fs }, share, get }) => {
    await fs.writeFile("/workspace/a", "0123456789");
    await fs.writeFile("/workspace/empty", "");
    const link = await share("/workspace/a");
    expect((await get(link, { method: "POST" })).status).toBe(405);
    const head = await get(link, { method: "HEAD" });
    expect([head.headers.get("content-length"), await head.text()]).toEqual(["10", ""]);
    const etag = head.headers.get("etag") ?? "";
    expect((await get(link, { headers: { "if-none-match": etag } })).status).toBe(304);
    expect((await get(link, { headers: { "if-none-match": `"x", W/${etag}` } })).status).toBe(304);
    expect((await get(link, { headers: { range: "bytes=0-1", "if-range": etag } })).status).toBe(206);
    expect((await get(link, { headers: { range: "bytes=0-1", "if-range": '"other"' } })).status).toBe(200);
    const empty = await share("/workspace/empty");
    expect(await (await get(empty)).text()).toBe("");
    expect((await get(empty, { headers: { range: "bytes=0-" } })).status).toBe(416);
  }));

test("links stand in for a bucket that there are no credentials for, and only then", () =>
  withLinks(async ({ workspace }) => {
    await workspace.fs.writeFile("/workspace/a", "x");
    const bucket = { put: () => Promise.reject(new Error("not put")) };
    const links = createAssetLinks({ ws: workspace, base: "/shared/alice/" });
    const assets = createAssets({ ws: workspace, bucket, s3: { bucket: "b" }, env: {}, links });
    expect(await assets.share("/workspace/a", { expiresAfter: HOUR })).toMatch(/^\/shared\/alice\/[0-9A-Z]{26}\./);
    expect(() =>
      createAssets({ ws: workspace, bucket, s3: { bucket: "b", accessKeyId: "id" }, env: {}, links }),
    ).toThrow("lacks secretAccessKey (or R2_SECRET_ACCESS_KEY)");
    for (const base of ["shared", "//host/x", "https://example.com/?a=b", "ftp://x/", ""]) {
      expect(() => createAssetLinks({ ws: workspace, base }), base).toThrow("EOPTION");
    }
  }));

test("a command and a script share files too, and say what is wrong", () =>
  runInDurableObject(env.BARE.get(env.BARE.newUniqueId()), async (_object, { storage, id }) => {
    const open = (assets: WorkspaceOptions["assets"]): Workspace =>
      new Workspace({
        storage,
        assets,
        backends: [
          new WorkerShellBackend({ loader: env.LOADER, workspace: { binding: "BARE", id: id.toString() } }),
          new WorkerJavaScriptBackend({ loader: env.LOADER, modules: { "ws:assets": createAssetsModule() } }),
        ],
      });
    const shared: object[] = [];
    const workspace = open((ws) => {
      const links = createAssetLinks({ ws, base: BASE });
      return {
        share: (path, options) => {
          shared.push({ path, ...options });
          return links.share(path, options);
        },
      };
    });
    const sh = async (source: string): Promise<[number, string, string]> => {
      using run = await workspace.runtime.exec(source, { backend: "worker-shell", encoding: "utf8" });
      const { exitCode, stdout, stderr } = await run.result();
      return [exitCode, stdout, stderr];
    };
    const [code, link, complaint] = await sh("echo hello > a.txt; cd /; assets publish workspace/a.txt");
    expect([code, complaint]).toEqual([0, ""]);
    expect(await (await serveAsset(workspace, new Request(link.trim()))).text()).toBe("hello\n");
    expect((await sh("assets publish --expires=2h30m /workspace/a.txt | wc -l"))[1].trim()).toBe("1");
    expect(await sh("assets publish none")).toEqual([
      1,
      "",
      "assets: none: ENOENT: no such file or directory, open '/workspace/none'\n",
    ]);
    for (const line of [
      "assets",
      "assets share a.txt",
      "assets publish",
      "assets publish a b",
      "assets publish --expires=soon a",
    ]) {
      const [code, stdout, stderr] = await sh(line);
      expect([code, stdout, stderr.split("\n")[1]], line).toEqual([
        129,
        "",
        "usage: assets publish [--expires=DURATION] FILE",
      ]);
    }
    const source = `import { share } from "ws:assets";
      export default async () => [await share("a.txt"), await share("/workspace/a.txt", { expiresAfter: 1000, filename: "b.txt" }),
        await share("../etc").catch(({ code }) => code), await share("a.txt", { color: 1 }).catch(({ name }) => name)];`;
    using run = await workspace.runtime.exec(source, { backend: "worker-javascript" });
    const { value } = await run.result();
    expect(value).toEqual([
      expect.stringContaining(BASE),
      expect.stringContaining(BASE),
      expect.any(String),
      "TypeError",
    ]);
    expect(shared).toEqual([
      { path: "/workspace/a.txt", expiresAfter: HOUR },
      { path: "/workspace/a.txt", expiresAfter: 9_000_000 },
      { path: "/workspace/none", expiresAfter: HOUR },
      { path: "/workspace/a.txt", expiresAfter: HOUR },
      { path: "/workspace/a.txt", expiresAfter: 1000, filename: "b.txt" },
    ]);

    const without = open(undefined);
    using none = await without.runtime.exec("assets publish a.txt", { backend: "worker-shell", encoding: "utf8" });
    expect((await none.result()).stderr).toContain(
      "EUNAVAILABLE: This workspace cannot share files: give it the option assets",
    );
  }));

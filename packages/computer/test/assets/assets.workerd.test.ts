/** Files shared through a real R2 bucket, their links checked as an S3 service does. */

import { env, runInDurableObject } from "cloudflare:test";
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { type CreateAssetsOptions, createAssets, resolveS3, type WorkspaceLike } from "../../src/assets/index.ts";
import { Workspace } from "../../src/index.ts";
import { answerOf } from "./s3-server.ts";

const SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
const S3 = { bucket: "tests", accountId: "account", accessKeyId: "AKIDEXAMPLE", secretAccessKey: SECRET };
const HOUR = 3_600_000;

async function withWorkspace(test: (workspace: Workspace) => Promise<void>): Promise<void> {
  await runInDurableObject(env.BARE.get(env.BARE.newUniqueId()), async (_object, { storage }) => {
    const workspace = new Workspace({
      storage,
      sessionId: "session-1",
      assets: (ws) => createAssets({ ws, bucket: env.BUCKET, s3: S3, env: {} }),
    });
    await workspace.fs.mkdir("/workspace");
    await test(workspace);
  });
}

/** What a link gives now, the key it is for beside it. */
async function open(link: string, now = Date.now()): Promise<{ response: Response; key: string }> {
  return { response: await answerOf(link, env.BUCKET, SECRET, now), key: keyOf(link) };
}

function keyOf(link: string): string {
  return decodeURIComponent(new URL(link).pathname).replace("/tests/", "");
}

test.each(["a b!*'().png", "é.txt", "100%.txt", "a+b.txt", "q?#.txt", 'quo"te\\.txt', "日本語"])(
  "A-01 a file named %s is downloaded with that name from a link that verifies",
  (name) =>
    withWorkspace(async ({ fs, assets }) => {
      await fs.writeFile(`/workspace/${name}`, `bytes of ${name}`);
      const link = (await assets?.share(`/workspace/${name}`, { expiresAfter: HOUR })) ?? "";
      expect(link).toMatch(/^https:\/\/account\.r2\.cloudflarestorage\.com\/tests\/session-1\/[0-9A-Z]{26}\/[^/]*\?/);
      expect(link.slice(8)).not.toMatch(/[!*'()+ ]/);
      const { response, key } = await open(link);
      expect(key).toMatch(/^session-1\/[0-9A-HJKMNP-TV-Z]{26}\//);
      expect(key.slice(37)).toBe(name);
      expect(response.status).toBe(200);
      expect(await (await response.blob()).text()).toBe(`bytes of ${name}`);
      expect(savedAs(response.headers.get("content-disposition"))).toBe(name);
    }),
);

test.each([
  ["0 B", 0],
  ["1 B", 1],
  ["200 MB", 200_000_000],
])(
  "A-03 a file of %s is shared with its length and type, few of its bytes in memory at once",
  async (_, size) => {
    let [held, most] = [0, 0];
    const md5 = createHash("md5");
    const ws: WorkspaceLike = {
      sessionId: "session-1",
      fs: {
        stat: async () => ({ size }),
        readFile: async () =>
          patterned(size, (bytes) => {
            md5.update(bytes);
            held += bytes.length;
            most = Math.max(most, held);
          }),
      },
    };
    const bucket: CreateAssetsOptions["bucket"] = {
      put: (key, value, options) => {
        const taken = new TransformStream<Uint8Array, Uint8Array>({
          transform(bytes, controller) {
            held -= bytes.length;
            controller.enqueue(bytes);
          },
        });
        return env.BUCKET.put(key, value.pipeThrough(taken).pipeThrough(new FixedLengthStream(size)), options);
      },
    };
    const assets = createAssets({ ws, bucket, s3: S3, env: {} });
    const link = await assets.share("/workspace/data.bin", { expiresAfter: HOUR });
    const object = await env.BUCKET.head(keyOf(link));
    expect(object?.size).toBe(size);
    expect(object?.httpMetadata?.contentType).toBe("application/octet-stream");
    expect(object?.checksums.toJSON().md5).toBe(md5.digest("hex"));
    expect(held).toBe(0);
    expect(most).toBeLessThanOrEqual(2 * 1024 * 1024);
  },
  120_000,
);

test("a link works until it expires, in whole seconds, and is for the file as it was", () =>
  withWorkspace(async ({ fs, assets }) => {
    await fs.writeFile("/workspace/a.md", "# before");
    const link = (await assets?.share("/workspace/a.md", { expiresAfter: 1500, prefix: "/some/where/" })) ?? "";
    await fs.writeFile("/workspace/a.md", "# after");
    expect(new URL(link).searchParams.get("X-Amz-Expires")).toBe("2");
    const { response, key } = await open(link);
    expect(key).toMatch(/^some\/where\/[0-9A-Z]{26}\/a\.md$/);
    expect(await response.text()).toBe("# before");
    expect(response.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
    expect((await open(link, Date.now() + 3000)).response.status).toBe(403);
  }));

test("what is asked for is told: type, name and whether to save", () =>
  withWorkspace(async ({ fs, assets }) => {
    await fs.writeFile("/workspace/a", "x");
    const options = { contentType: "text/csv", filename: "Zahlen.csv", disposition: "attachment" } as const;
    const { response } = await open((await assets?.share("/workspace/a", { expiresAfter: HOUR, ...options })) ?? "");
    expect(response.headers.get("content-type")).toBe("text/csv");
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="Zahlen.csv"');
  }));

test("what cannot be shared is refused, and nothing is put", () =>
  withWorkspace(async ({ fs, assets }) => {
    await fs.writeFile("/workspace/a", "x");
    const before = (await env.BUCKET.list()).objects.length;
    const share = (path: string, options: object) => assets?.share(path, { expiresAfter: HOUR, ...options });
    await expect(share("/workspace/none", {})).rejects.toMatchObject({ code: "ENOENT" });
    await expect(share("/workspace", {})).rejects.toMatchObject({ code: "EISDIR" });
    for (const options of [
      { expiresAfter: 0 },
      { expiresAfter: Number.NaN },
      { expiresAfter: 604_800_001 },
      { contentType: "text/html\r\nX: y" },
      { filename: "../x" },
      { filename: "x\n" },
      { prefix: "a/../b" },
      { prefix: "p".repeat(1000) },
      { disposition: "elsewhere" },
      { expires: 3 },
    ]) {
      await expect(share("/workspace/a", options), JSON.stringify(options)).rejects.toMatchObject({ code: "EOPTION" });
    }
    await expect(share("/", {})).rejects.toMatchObject({ code: "EOPTION" });
    expect((await env.BUCKET.list()).objects.length).toBe(before);
  }));

test("credentials come from the configuration, then the environment, and what is missing is named", () => {
  const variables = {
    CLOUDFLARE_ACCOUNT_ID: "acc",
    AWS_ACCESS_KEY_ID: "aws-id",
    AWS_SECRET_ACCESS_KEY: "aws-secret",
  };
  expect(resolveS3({ bucket: "b" }, variables)).toEqual({
    bucket: "b",
    endpoint: "https://acc.r2.cloudflarestorage.com",
    accessKeyId: "aws-id",
    secretAccessKey: "aws-secret",
    region: "auto",
    service: "s3",
  });
  const r2 = {
    ...variables,
    R2_ACCESS_KEY_ID: "id",
    R2_SECRET_ACCESS_KEY: "secret",
    R2_ENDPOINT: "https://e.example/",
  };
  expect(resolveS3({ bucket: "b", accessKeyId: "own", region: "eu" }, r2)).toMatchObject({
    accessKeyId: "own",
    secretAccessKey: "secret",
    endpoint: "https://e.example",
    region: "eu",
  });
  expect(() => resolveS3({ bucket: "b" }, {})).toThrow(
    "EOPTION: The S3 configuration of createAssets lacks accessKeyId (or R2_ACCESS_KEY_ID), secretAccessKey (or R2_SECRET_ACCESS_KEY), accountId (or CLOUDFLARE_ACCOUNT_ID).",
  );
  expect(() => resolveS3({ bucket: "b" }, { ...r2, R2_ENDPOINT: "e.example" })).toThrow("EOPTION: The S3 endpoint");
});

/** So many bytes, each piece of which is told when it is taken. */
function patterned(size: number, taken: (bytes: Uint8Array) => void): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const bytes = new Uint8Array(Math.min(256 * 1024, size - at)).fill((at / 262_144) % 251);
        if (bytes.length === 0) return controller.close();
        at += bytes.length;
        taken(bytes);
        controller.enqueue(bytes);
      },
    },
    { highWaterMark: 0 },
  );
}

/** The name that a browser saves under: RFC 8187's form before the plain one. */
function savedAs(header: string | null): string {
  const exact = /filename\*=UTF-8''([^;]*)/.exec(header ?? "")?.[1];
  return exact === undefined ? (/filename="([^"]*)"/.exec(header ?? "")?.[1] ?? "") : decodeURIComponent(exact);
}

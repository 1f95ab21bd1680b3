/** Mounts of a real R2 bucket. */

import { env, runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { R2Bucket, type R2BucketBinding, type R2BucketOptions, Workspace } from "../../src/index.ts";

const ROOT = "/workspace/data";
let tests = 0;

/** A workspace with a mount of keys under a prefix of its own; `open` makes another one over the same storage. */
async function withBucket(
  test: (mounted: {
    prefix: string;
    open(options?: R2BucketOptions, bucket?: R2BucketBinding): Workspace;
    put(objects: Record<string, string>): Promise<void>;
  }) => Promise<void>,
): Promise<void> {
  const prefix = `mount-${tests++}`;
  await runInDurableObject(env.BARE.get(env.BARE.newUniqueId()), async (_object, { storage }) => {
    await test({
      prefix,
      open: (options = {}, bucket = env.BUCKET) =>
        new Workspace({ storage, mounts: { [ROOT]: R2Bucket(bucket, { prefix, ...options }) } }),
      put: async (objects) => {
        for (const [key, text] of Object.entries(objects)) await env.BUCKET.put(`${prefix}/${key}`, text);
      },
    });
  });
}

/** The bucket, counting what it is asked for. */
function counted(): R2BucketBinding & { lists: number; gets: number; mostAtOnce: number } {
  let running = 0;
  return {
    lists: 0,
    gets: 0,
    mostAtOnce: 0,
    list(options) {
      this.lists++;
      return env.BUCKET.list(options);
    },
    async get(key) {
      this.gets++;
      this.mostAtOnce = Math.max(this.mostAtOnce, ++running);
      try {
        return await env.BUCKET.get(key);
      } finally {
        running--;
      }
    },
  };
}

test("M-03 every one of 2,500 objects is a file, however few keys a page of the listing has", async () => {
  // A bucket that tells of metadata gives fewer keys than were asked for, an empty page too, and says that there are more.
  const keys = Array.from({ length: 2500 }, (_, index) => `p/d${index % 50}/f${index}`);
  const sizes = [7, 0, 333, 1000];
  const bucket: R2BucketBinding & { pages: number } = {
    pages: 0,
    async list({ prefix = "", cursor = "0", limit = 1000 } = {}) {
      const size = Math.min(limit, sizes[this.pages++ % sizes.length] ?? limit);
      const [at, page] = [Number(cursor.split(":")[0]), keys.filter((key) => key.startsWith(prefix))];
      const objects = page.slice(at, at + size).map((key) => ({ key, size: key.length, etag: `e-${key}` }));
      const end = at + objects.length;
      return end < page.length
        ? { objects, truncated: true, cursor: `${end}:${this.pages}` }
        : { objects, truncated: false };
    },
    get: async (key) => ({ body: new Blob([key]).stream(), size: key.length }),
  };
  await withBucket(async ({ open }) => {
    const { fs } = open({ prefix: "p" }, bucket);
    const found = await fs.ls(ROOT);
    expect(found).toHaveLength(2500);
    expect(new Set(found)).toEqual(new Set(keys.map((key) => ROOT + key.slice(1))));
    expect(await fs.readFile(`${ROOT}/d49/f2499`, "utf8")).toBe("p/d49/f2499");
    expect(bucket.pages).toBeGreaterThan(7);
  });
});

test("a real bucket's pages are followed by their cursors, few objects at once", () =>
  withBucket(async ({ open, put }) => {
    await put(Object.fromEntries(Array.from({ length: 45 }, (_, index) => [`f${index}`, `text ${index}`])));
    await env.BUCKET.put("mount-elsewhere/x", "not under the prefix");
    const bucket = counted();
    const { fs } = open({ listLimit: 10, concurrency: 3 }, bucket);
    expect(await fs.ls(ROOT)).toHaveLength(45);
    expect(await fs.readFile(`${ROOT}/f44`, "utf8")).toBe("text 44");
    expect([bucket.lists, bucket.gets, bucket.mostAtOnce]).toEqual([5, 45, 3]);
  }));

test("M-04 what changes in the bucket shows after a refresh, whole, and not before", () =>
  withBucket(async ({ open, put, prefix }) => {
    await put({ kept: "kept", replaced: "short", deleted: "gone soon" });
    const bucket = counted();
    const workspace = open({}, bucket);
    const { fs } = workspace;
    expect(await fs.ls(ROOT)).toHaveLength(3);
    const opened = await fs.readFile(`${ROOT}/replaced`);

    await put({ replaced: "much longer than before", added: "new" });
    await env.BUCKET.delete(`${prefix}/deleted`);
    expect(await fs.readFile(`${ROOT}/replaced`, "utf8")).toBe("short");
    expect((await fs.stat(`${ROOT}/replaced`)).size).toBe(5);
    expect((await fs.readdir(ROOT)).map(({ name }) => name)).toEqual(["deleted", "kept", "replaced"]);

    await workspace.ensureMountsIndexed({ refresh: true });
    expect((await fs.readdir(ROOT)).map(({ name, size }) => [name, size])).toEqual([
      ["added", 3],
      ["kept", 4],
      ["replaced", 23],
    ]);
    expect(await fs.readFile(`${ROOT}/replaced`, "utf8")).toBe("much longer than before");
    expect(await new Response(opened).text()).toBe("short");

    // The tags say that nothing has changed: not an object is read again, by the same workspace or the next.
    const { gets } = bucket;
    await workspace.ensureMountsIndexed({ refresh: true });
    await open({}, bucket).ensureMountsIndexed();
    expect(bucket.gets).toBe(gets);
    await put({ kept: "KEPT" });
    expect(await open({}, bucket).fs.readFile(`${ROOT}/kept`, "utf8")).toBe("KEPT");
  }));

test("M-04 an object that is replaced or deleted while the mount is brought over is never half of each", () =>
  withBucket(async ({ open, put, prefix }) => {
    await put({ a: "old", b: "old" });
    let changed = false;
    const bucket: R2BucketBinding = {
      list: (options) => env.BUCKET.list(options),
      async get(key) {
        if (!changed) {
          changed = true;
          await put({ a: "new and longer" });
          await env.BUCKET.delete(`${prefix}/b`);
        }
        return env.BUCKET.get(key);
      },
    };
    const workspace = open({ concurrency: 1 }, bucket);
    const read = async (): Promise<unknown> =>
      Promise.all(
        (await workspace.fs.readdir(ROOT)).map(async ({ name, size }) => [
          name,
          size,
          await workspace.fs.readFile(`${ROOT}/${name}`, "utf8"),
        ]),
      );
    expect(await read()).toEqual([["a", 14, "new and longer"]]);
    await workspace.ensureMountsIndexed({ refresh: true });
    expect(await read()).toEqual([["a", 14, "new and longer"]]);
  }));

test("contents that come short, and a listing that has no end, fail the mount", () =>
  withBucket(async ({ open, put }) => {
    await put({ a: "text" });
    const list: R2BucketBinding["list"] = (options) => env.BUCKET.list(options);
    const short: R2BucketBinding = { list, get: async () => ({ body: new Blob(["te"]).stream(), size: 4 }) };
    await expect(open({}, short).fs.readdir(ROOT)).rejects.toThrow("has 4 bytes, and 2 came");
    const endless: R2BucketBinding = {
      list: async () => ({ objects: [], truncated: true, cursor: "1" }),
      get: env.BUCKET.get,
    };
    await expect(open({}, endless).fs.readdir(ROOT)).rejects.toThrow("the bucket says that there are more keys");
    const denied: R2BucketBinding = {
      list: () => Promise.reject(new Error("list: Access Denied (10003)")),
      get: env.BUCKET.get,
    };
    await expect(open({}, denied).fs.readdir(ROOT)).rejects.toThrow(
      "EUNAVAILABLE: The mount /workspace/data (r2) could not be brought over: list: Access Denied (10003)",
    );
  }));

test("keys are paths as they are, whatever their characters; directories too", () =>
  withBucket(async ({ open, put }) => {
    const keys = [
      "a b!*'().png",
      "é",
      "e\u0301",
      "100%",
      "a+b",
      "q?#&=",
      "back\\slash",
      "new\nline",
      "日本/語",
      ".hidden",
      "x.y/z",
    ];
    await put({ ...Object.fromEntries(keys.map((key) => [key, key])), "empty/": "", "x.y/": "" });
    const { fs } = open();
    for (const key of keys) expect(await fs.readFile(`${ROOT}/${key}`, "utf8"), key).toBe(key);
    expect(await fs.ls(ROOT)).toHaveLength(keys.length);
    expect(await fs.readdir(`${ROOT}/empty`)).toEqual([]);
  }));

test("keys that cannot be paths are refused by name, or left out where that is asked for", async () => {
  for (const odd of ["a//b", "/lead", "x/../y", "./x", "n".repeat(256), "nul\0", "good/below", "slash//"]) {
    await withBucket(async ({ open, put }) => {
      await put({ good: "1", [odd]: "2" });
      await expect(open().fs.readdir(ROOT), odd).rejects.toThrow("EINVAL: ");
      const { fs } = open({ oddKeys: "skip" });
      const expected = odd === "good/below" ? [`${ROOT}/good/below`] : [`${ROOT}/good`];
      expect(await fs.ls(ROOT), odd).toEqual(expected);
    });
  }
});

test("options that there are not are refused", () => {
  for (const options of [{ prefx: "x" }, { mode: "rw" }, { concurrency: 0 }, { listLimit: 1001 }, { maxBytes: -1 }]) {
    expect(() => R2Bucket(env.BUCKET, options as R2BucketOptions), JSON.stringify(options)).toThrow("EOPTION: ");
  }
});

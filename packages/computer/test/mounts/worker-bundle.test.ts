/** What a bundle writes, and which version it says it is. */

import { expect, test } from "vitest";
import type { EagerMount } from "../../src/mounts/mount.ts";
import { WorkerBundle } from "../../src/mounts/worker-bundle.ts";

/** What a mount writes, by path, with the mode where there is one. */
async function written(mount: EagerMount): Promise<Record<string, unknown>> {
  const files: Record<string, unknown> = {};
  await mount.materialize({
    root: "/m",
    writeFile: async (path, source, mode) => {
      const text = await new Response(source).text();
      files[path] = mode === undefined ? text : [text, mode];
    },
    mkdir: async () => {},
  });
  return files;
}

async function versionOf(mount: EagerMount): Promise<string | undefined> {
  return typeof mount.version === "function" ? mount.version() : mount.version;
}

test("texts, bytes and what is loaded become files", async () => {
  const tree = { "a.txt": "text", "./b/c.bin": new Uint8Array([104, 105]), "/d": async () => "loaded" };
  expect(await written(WorkerBundle(tree))).toEqual({ "/m/a.txt": "text", "/m/b/c.bin": "hi", "/m/d": "loaded" });
  expect(await written(WorkerBundle({ files: { files: "x" } }))).toEqual({ "/m/files": "x" });
  expect(await written(WorkerBundle({ files: "a file of this name" }))).toEqual({ "/m/files": "a file of this name" });
});

test("a filter leaves out files and whole directories, and modes are asked for", async () => {
  const bundle = WorkerBundle(
    { "bin/run.sh": "#!", "doc/a/x": "", "doc/b": "", "y.map": "" },
    {
      filter: ({ path, type }) => !(type === "dir" && path === "doc/a") && !path.endsWith(".map"),
      fileMode: (path, bytes) => (path.startsWith("bin/") && bytes.length === 2 ? 0o755 : undefined),
    },
  );
  expect(await written(bundle)).toEqual({ "/m/bin/run.sh": ["#!", 0o755], "/m/doc/b": "" });
  expect([bundle.kind, bundle.mode, bundle.strategy]).toEqual(["worker-bundle", "read-only", "eager"]);
});

test("the version is the one given, else a digest of what is there, and none for what is still to be loaded", async () => {
  const digest = await versionOf(WorkerBundle({ a: "1" }));
  expect(digest).toMatch(/^[0-9a-f]{64}$/);
  expect(await versionOf(WorkerBundle({ a: new Uint8Array([49]) }))).toBe(digest);
  expect(await versionOf(WorkerBundle({ a: "2" }))).not.toBe(digest);
  expect(await versionOf(WorkerBundle({ b: "1" }))).not.toBe(digest);
  expect(await versionOf(WorkerBundle({ a: "1" }, { fileMode: () => 0o755 }))).not.toBe(digest);
  expect(await versionOf(WorkerBundle({ a: async () => "1" }))).toBeUndefined();
  expect(await versionOf(WorkerBundle({ files: { a: async () => "1" }, version: "v" }))).toBe("v");
  expect(await versionOf(WorkerBundle({ files: { a: "1" }, version: "v" }, { version: "w" }))).toBe("w");
  expect(await versionOf(WorkerBundle({ a: "1" }, { version: false }))).toBeUndefined();
});

test("what cannot be a bundle is refused", async () => {
  expect(() => WorkerBundle("./skills")).toThrow(
    'EOPTION: WorkerBundle("./skills") was not filled in: add computerBundle()',
  );
  for (const path of ["../x", "a/../b", "a//b", "", "x/"]) {
    expect(() => WorkerBundle({ [path]: "x" }), path).toThrow("EOPTION: WorkerBundle cannot have a file at");
  }
  await expect(written(WorkerBundle({ a: async () => 3 as never }))).rejects.toThrow("EINVAL");
});

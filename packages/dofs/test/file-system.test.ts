import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { FileSystem } from "../src/filesystem/file-system.ts";
import { WorkspaceFilesystem } from "../src/filesystem/workspace-filesystem.ts";
import { openNodeStorage } from "../src/node/index.ts";
import { Database } from "../src/sql/database.ts";
import { MemoryStore } from "../src/store/memory-store.ts";
import { SqlStore } from "../src/store/sql-store.ts";
import { describeFileSystem } from "../src/testing/file-system-suite.ts";

const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest();

describeFileSystem(
  "FileSystem over MemoryStore",
  async (body) => {
    await body(new FileSystem(new MemoryStore({ sha256 })));
  },
  { largest: 10 * 1024 * 1024 },
);

describeFileSystem("R-01 WorkspaceFilesystem over a driver with a Durable Object's limits", async (body) => {
  const storage = openNodeStorage();
  const db = new Database(storage);
  SqlStore.open(db, { sha256 });
  await body(new WorkspaceFilesystem(db));
  storage.close();
});

test.each([
  ["readFile", ["/f", { encodign: "utf8" }], "no option encodign: did you mean encoding?, open '/f'"],
  ["readFile", ["/f", 5], "the options must be an object, not 5, open '/f'"],
  ["readdir", ["/", { limits: 1 }], "no option limits: did you mean limit?, scandir '/'"],
  ["find", ["/", "*", { exlude: [] }], "no option exlude: did you mean exclude?, find '/'"],
  ["grep", ["x", "/", { ignorecase: true }], "no option ignorecase: did you mean ignoreCase?, grep '/'"],
  ["writeFile", ["/f", "new", { mdoe: 0o600 }], "no option mdoe: did you mean mode?, open '/f'"],
  ["writeFile", ["/f", new Blob(["new"]).stream(), { append: true }], "no option append: it takes mode, exclusive"],
  ["mkdir", ["/d", { recursiv: true }], "no option recursiv: did you mean recursive?, mkdir '/d'"],
  ["rm", ["/f", { forced: true }], "no option forced: did you mean force?, rm '/f'"],
] as const)("%s refuses %j", async (call, args, words) => {
  const fs = new FileSystem(new MemoryStore({ sha256 }));
  await fs.writeFile("/f", "old");
  const refused = async (): Promise<unknown> => Reflect.apply(fs[call], fs, args);
  await expect(refused()).rejects.toMatchObject({ code: "EINVAL", message: expect.stringContaining(words) });
  expect(await fs.readFile("/f", "utf8")).toBe("old");
  expect(await fs.exists("/d")).toBe(false);
});

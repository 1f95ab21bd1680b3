import { createHash } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { ConfinedStore, FileSystem, MemoryStore, StoreProvider } from "../src/index.ts";

const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest();

let whole: FileSystem;
let store: MemoryStore;

beforeEach(async () => {
  store = new MemoryStore({ sha256, now: () => 1 });
  whole = new FileSystem(store);
  await whole.mkdir("/w/sub", { recursive: true });
  await whole.mkdir("/secret");
  await whole.writeFile("/secret/key", "k");
  await whole.writeFile("/w/in", "in");
  await whole.writeFile("/w/sub/deep", "deep");
});

function confined(root = "/w", readOnly = false): FileSystem {
  return new FileSystem(new ConfinedStore(store, { root, readOnly }));
}

describe("what is inside", () => {
  test("is read, written, moved and removed as ever", async () => {
    const fs = confined();
    expect(await fs.readFile("/w/in", "utf8")).toBe("in");
    await fs.writeFile("/w/new", "new");
    await fs.rename("/w/new", "/w/sub/moved");
    expect(await whole.readFile("/w/sub/moved", "utf8")).toBe("new");
    await fs.rm("/w/sub", { recursive: true });
    expect((await fs.readdir("/w")).map(({ name }) => name)).toEqual(["in"]);
  });

  test.each(["/w/sub/deep", "deep", "../sub/deep", "../../w/sub/deep", "/../w/./sub/deep"])(
    "a link to %j stays inside and is followed",
    async (target) => {
      await whole.symlink(target, "/w/sub/link");
      expect(await confined().readFile("/w/sub/link", "utf8")).toBe("deep");
    },
  );
});

describe("what is outside", () => {
  test.each([
    "/secret/key",
    "/secret",
    "/w/../secret/key",
    "/nothing",
    "/nothing/there",
    "/w/out/key",
    "/w/far",
    "/w/sly/in",
  ])("%s is EACCES for reading and writing, whether or not it is there", async (path) => {
    await whole.symlink("/secret", "/w/out");
    await whole.symlink("../secret/key", "/w/far");
    await whole.symlink("/secret/../w", "/w/sly");
    const fs = confined();
    const refused = expect.objectContaining({ code: "EACCES", path });
    await expect(fs.readFile(path)).rejects.toEqual(refused);
    await expect(fs.stat(path)).rejects.toEqual(refused);
    await expect(fs.writeFile(path, "x")).rejects.toEqual(refused);
    await expect(fs.chmod(path, 0o777)).rejects.toEqual(refused);
    expect(await whole.readFile("/secret/key", "utf8")).toBe("k");
  });

  test("nothing is made, moved or removed there, the root itself neither", async () => {
    const fs = confined();
    const refused = { code: "EACCES" };
    await expect(fs.mkdir("/other")).rejects.toMatchObject(refused);
    await expect(fs.rename("/w/in", "/in")).rejects.toMatchObject(refused);
    await expect(fs.rename("/secret/key", "/w/key")).rejects.toMatchObject(refused);
    await expect(fs.rename("/w", "/v")).rejects.toMatchObject(refused);
    await expect(fs.rm("/w", { recursive: true })).rejects.toMatchObject(refused);
    await expect(fs.readdir("/")).rejects.toMatchObject(refused);
    await expect(fs.chmod("/", 0o700)).rejects.toMatchObject(refused);
    const provider = new StoreProvider(new ConfinedStore(store, { root: "/w" }));
    expect(() => provider.linkSync("/secret/key", "/w/key")).toThrow(expect.objectContaining(refused));
    expect(() => provider.openSync("/secret/key")).toThrow(expect.objectContaining(refused));
    expect(await whole.ls("/")).toEqual(["/secret/key", "/w/in", "/w/sub/deep"]);
  });

  test("of the directories above the root nothing is told", async () => {
    expect(await confined().stat("/")).toMatchObject({ isDirectory: true, mode: 0o555, mtime: 0, size: 0 });
  });

  test("a dangling link that leads out makes nothing", async () => {
    await whole.symlink("/secret/made", "/w/dangling");
    await expect(confined().writeFile("/w/dangling", "x")).rejects.toMatchObject({ code: "EACCES" });
    expect(await whole.exists("/secret/made")).toBe(false);
  });
});

describe("the root", () => {
  test("may be reached through links, which are followed by that name", async () => {
    await whole.symlink("/w/sub", "/ws");
    const fs = confined("/ws");
    expect(await fs.readFile("/ws/deep", "utf8")).toBe("deep");
    await expect(fs.readFile("/ws/../in", "utf8")).rejects.toMatchObject({ code: "EACCES" });
    await expect(fs.readFile("/w/in", "utf8")).rejects.toMatchObject({ code: "EACCES" });
    await whole.symlink("../in", "/w/sub/up");
    await expect(fs.readFile("/ws/up", "utf8")).rejects.toMatchObject({ code: "EACCES" });
    expect(new StoreProvider(new ConfinedStore(store, { root: "/ws" })).realpathSync("/ws/deep")).toBe("/w/sub/deep");
  });

  test("is what has the path now: a directory exchanged for a link is not followed out", async () => {
    const fs = confined("/w/sub");
    expect(await fs.readFile("/w/sub/deep", "utf8")).toBe("deep");
    await whole.rename("/w/sub", "/w/was");
    await expect(fs.readFile("/w/was/deep", "utf8")).rejects.toMatchObject({ code: "EACCES" });
    await expect(fs.readFile("/w/sub/deep", "utf8")).rejects.toMatchObject({ code: "ENOENT" });
    await expect(fs.writeFile("/w/sub", "x")).rejects.toMatchObject({ code: "EACCES" });
  });

  test("/ confines nothing", async () => {
    expect(await confined("/").readFile("/secret/key", "utf8")).toBe("k");
  });

  test("read-only, refuses each change with EROFS", async () => {
    const fs = confined("/w", true);
    expect(await fs.readFile("/w/in", "utf8")).toBe("in");
    const refused = { code: "EROFS" };
    await expect(fs.writeFile("/w/in", "x")).rejects.toMatchObject(refused);
    await expect(fs.writeFile("/w/in", new Blob(["x"]).stream())).rejects.toMatchObject(refused);
    await expect(fs.mkdir("/w/a")).rejects.toMatchObject(refused);
    await expect(fs.rm("/w/in")).rejects.toMatchObject(refused);
    await expect(fs.rename("/w/in", "/w/out")).rejects.toMatchObject(refused);
    await expect(fs.symlink("x", "/w/l")).rejects.toMatchObject(refused);
    await expect(fs.chmod("/w/in", 0o600)).rejects.toMatchObject(refused);
  });

  test("keeps no company with peers", () => {
    const closed = new ConfinedStore(store, { root: "/w" });
    expect(() => closed.changes()).toThrow(/ENOTSUP/);
    expect(() => closed.setReadOnlyRoots()).toThrow(/ENOTSUP/);
  });
});

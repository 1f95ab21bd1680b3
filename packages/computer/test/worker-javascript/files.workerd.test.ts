import { describe, expect, test } from "vitest";
import { scripted } from "./in-object.ts";

const FS = `import fs from "node:fs/promises"; `;
const caught =
  "const caught = async (work) => { try { await work(); return 'no error'; } catch (error) { return error.code ?? error.name + ': ' + error.message; } };";

test("J-08 errors are those of Node, and what is synchronous is refused in clear words", async () => {
  await scripted(async ({ workspace, value }) => {
    await workspace.fs.writeFile("/workspace/there", "x");
    const source = `${FS} import { readFileSync, existsSync } from "node:fs"; ${caught}
      export default async () => [
        await caught(() => fs.writeFile("no/such/f", "x")),
        await caught(() => fs.writeFile("there", "y", { flag: "wx" })),
        await caught(() => fs.readFile("there", "utf9")),
        await caught(() => readFileSync("there")),
        await caught(() => existsSync("there")),
        await caught(() => fs.readFile("/workspace")),
        await caught(() => fs.readFile(5)),
        await caught(() => fs.watch("there")),
      ];`;
    expect(await value(source)).toEqual([
      "ENOENT",
      "EEXIST",
      "ERR_INVALID_ARG_VALUE",
      "ERR_METHOD_NOT_IMPLEMENTED",
      "ERR_METHOD_NOT_IMPLEMENTED",
      "EISDIR",
      "ERR_INVALID_ARG_TYPE",
      "ENOTSUP",
    ]);
    const words = `import { readFileSync } from "node:fs"; export default () => { try { readFileSync("x"); } catch (error) { return error.message; } };`;
    expect(await value(words)).toBe(
      "fs.readFileSync is not available: the files lie in another isolate, and nothing can wait for them. Use await fs.promises.readFile(…).",
    );
    const error = `${FS} export default async () => { try { await fs.readFile("none"); } catch (error) { return [error.code, error.syscall, error.path, error.message, error instanceof Error]; } };`;
    expect(await value(error)).toEqual([
      "ENOENT",
      "open",
      "/workspace/none",
      "ENOENT: no such file or directory, open '/workspace/none'",
      true,
    ]);
  });
});

describe("what a script does to files is done to the workspace's", () => {
  const cases: [title: string, body: string, expected: unknown][] = [
    [
      "write, read, append",
      `await fs.writeFile("f", "é"); await fs.appendFile("f", "b"); return [await fs.readFile("f", "utf8"), (await fs.readFile("f")).length, await fs.readFile("f", { encoding: "base64" })];`,
      ["éb", 3, "w6li"],
    ],
    [
      "bytes of any kind",
      `await fs.writeFile("f", new Uint16Array([1, 2])); await fs.writeFile("g", new DataView(new ArrayBuffer(3))); await fs.writeFile("h", (function* () { yield "a"; yield Buffer.from("b"); })()); return [(await fs.readFile("f")).toString("hex"), (await fs.stat("g")).size, await fs.readFile("h", "latin1")];`,
      ["01000200", 3, "ab"],
    ],
    [
      "mkdir, readdir with types, rm",
      `const made = await fs.mkdir("a/b/c", { recursive: true }); await fs.writeFile("a/f", ""); await fs.symlink("f", "a/l"); const names = await fs.readdir("a"); const types = (await fs.readdir("a", { withFileTypes: true })).map((e) => [e.name, e.isFile(), e.isDirectory(), e.isSymbolicLink(), e.parentPath]); const deep = await fs.readdir("a", { recursive: true }); await fs.rm("a", { recursive: true }); return [made, names, types, deep, await fs.access("a").catch((e) => e.code)];`,
      [
        "/workspace/a",
        ["b", "f", "l"],
        [
          ["b", false, true, false, "a"],
          ["f", true, false, false, "a"],
          ["l", false, false, true, "a"],
        ],
        ["b", "f", "l", "b/c"],
        "ENOENT",
      ],
    ],
    [
      "rename, copyFile, link, unlink",
      `await fs.writeFile("a", "1"); await fs.rename("a", "b"); await fs.copyFile("b", "c"); await fs.link("b", "d"); await fs.writeFile("d", "2"); const n = (await fs.stat("b")).nlink; await fs.unlink("c"); return [await fs.readFile("b", "utf8"), n, (await fs.readdir(".")).join()];`,
      ["2", 2, "b,d"],
    ],
    [
      "cp of a tree, and with a filter",
      `await fs.mkdir("s/t", { recursive: true }); await fs.writeFile("s/t/f", "f"); await fs.symlink("t", "s/l"); await fs.cp("s", "copy", { recursive: true }); await fs.cp("s", "few", { recursive: true, filter: (from) => !from.endsWith("/l") }); return [await fs.readFile("copy/l/f", "utf8"), await fs.readdir("few"), await fs.cp("s", "s/in", { recursive: true }).catch((e) => e.code), await fs.cp("s", "x").catch((e) => e.code)];`,
      ["f", ["t"], "EINVAL", "EISDIR"],
    ],
    [
      "stat, lstat, chmod, utimes, truncate",
      `await fs.writeFile("f", "12345"); await fs.chmod("f", 0o600); await fs.utimes("f", 1, new Date(2000)); await fs.truncate("f", 2); await fs.utimes("f", 1, 2); await fs.symlink("f", "l"); const s = await fs.stat("l"); const b = await fs.stat("f", { bigint: true }); return [s.mode.toString(8), s.mtimeMs, s.mtime.toISOString(), s.size, s.isFile(), (await fs.lstat("l")).isSymbolicLink(), String(b.size), String(b.mtimeNs)];`,
      ["100600", 2000, "1970-01-01T00:00:02.000Z", 2, true, true, "2", "2000000000"],
    ],
    [
      "readlink, realpath, mkdtemp, access",
      `await fs.writeFile("f", ""); await fs.symlink("./f", "l"); const dir = await fs.mkdtemp("tmp-"); return [await fs.readlink("l"), await fs.realpath("l"), /^tmp-\\w{6}$/.test(dir), (await fs.stat(dir)).isDirectory(), await fs.access("f", 1).catch((e) => e.code)];`,
      ["./f", "/workspace/f", true, true, "EACCES"],
    ],
    [
      "file handles",
      `await using h = await fs.open("f", "w+"); await h.write("hello "); await h.write(Buffer.from("world")); const b = Buffer.alloc(5); const { bytesRead } = await h.read(b, 0, 5, 6); await h.truncate(5); return [bytesRead, b.toString(), (await h.stat()).size, await fs.readFile("f", "utf8")];`,
      [5, "world", 5, "hello"],
    ],
    [
      "paths of every kind",
      `await fs.writeFile(new URL("file:///workspace/a%20b"), "url"); await fs.mkdir("d"); process.chdir("d"); await fs.writeFile("rel", "r"); return [await fs.readFile(Buffer.from("../a b"), "utf8"), await fs.readFile("/workspace/d/rel", "utf8")];`,
      ["url", "r"],
    ],
    [
      "callbacks",
      `return new Promise((resolve) => node.writeFile("f", "cb", (error) => node.readFile("f", "utf8", (_, text) => node.stat("none", (gone) => node.exists("f", (there) => resolve([error, text, gone.code, there]))))));`,
      [null, "cb", "ENOENT", true],
    ],
    [
      "streams",
      `await pipeline(Readable.from(["a".repeat(70000), "b"]), node.createWriteStream("f")); let size = 0; for await (const piece of node.createReadStream("f")) size += piece.length; let part = ""; for await (const piece of node.createReadStream("f", { start: 69999, end: 70000, encoding: "utf8" })) part += piece; await pipeline(node.createReadStream("f"), node.createWriteStream("g", { flags: "a" })); const gone = await pipeline(node.createReadStream("none"), node.createWriteStream("h")).catch((e) => e.code); return [size, part, (await fs.stat("g")).size, gone];`,
      [70001, "ab", 70001, "ENOENT"],
    ],
  ];

  test.each(cases)("%s", async (_title, body, expected) => {
    await scripted(async ({ value }) => {
      const imports = `${FS} import node from "node:fs"; import { Readable } from "node:stream"; import { pipeline } from "node:stream/promises";`;
      expect(await value(`${imports} export default async () => { ${body} };`)).toEqual(expected);
    });
  });

  test("a file of many megabytes goes both ways", async () => {
    await scripted(async ({ workspace, value }) => {
      const source = `${FS} import node from "node:fs";
        export default async () => {
          const bytes = Buffer.alloc(9 * 1024 * 1024, "0123456789");
          await fs.writeFile("big", bytes);
          const back = await fs.readFile("big");
          return [back.length, back.equals(bytes), await fs.writeFile("huge", Buffer.alloc(20_000_000)).catch((error) => error.code)];
        };`;
      expect(await value(source)).toEqual([9 * 1024 * 1024, true, "ELIMIT"]);
      expect((await workspace.fs.stat("/workspace/big")).size).toBe(9 * 1024 * 1024);
    });
  });

  test("a directory longer than one answer comes whole", async () => {
    await scripted(
      async ({ workspace, run }) => {
        for (let i = 0; i < 25; i++) await workspace.fs.writeFile(`/workspace/f${i}`, "");
        const result = await run(`${FS} export default async () => (await fs.readdir(".")).length;`);
        expect(result).toMatchObject({ value: 25, script: { hostCalls: 3 } });
      },
      { maxDirectoryEntries: 10 },
    );
  });

  test("a computer that may only read refuses each change", async () => {
    await scripted(
      async ({ workspace, value }) => {
        await workspace.fs.writeFile("/workspace/f", "f");
        const source = `${FS} ${caught} export default async () => [await fs.readFile("f", "utf8"), await caught(() => fs.writeFile("f", "x")), await caught(() => fs.mkdir("d")), await caught(() => fs.rm("f")), await caught(() => fs.open("f", "r+").then((h) => h.write("x")))];`;
        expect(await value(source)).toEqual(["f", "EROFS", "EROFS", "EROFS", "EROFS"]);
      },
      { access: "read" },
    );
  });
});

describe("messages to the host", () => {
  test("what is asked within one turn goes together: 200 reads and 200 writes in two, one after another in 400", async () => {
    await scripted(async ({ workspace, run }) => {
      for (let i = 0; i < 200; i++) await workspace.fs.writeFile(`/workspace/f${i}`, String(i));
      const all = `${FS} const names = Array.from({ length: 200 }, (_, i) => "f" + i);`;
      const together = `${all} const texts = await Promise.all(names.map((name) => fs.readFile(name, "utf8"))); await Promise.all(names.map((name, i) => fs.writeFile(name + ".out", texts[i])));`;
      expect((await run(together)).script).toEqual({ started: true, hostCalls: 400, roundTrips: 2 });
      const apart = `${all} for (const name of names) await fs.writeFile(name + ".out", await fs.readFile(name));`;
      expect((await run(apart)).script).toEqual({ started: true, hostCalls: 400, roundTrips: 400 });
      expect(await workspace.fs.readFile("/workspace/f199.out", "utf8")).toBe("199");
      expect((await run("export default () => 1")).script).toEqual({ started: true, hostCalls: 0, roundTrips: 0 });
    });
  });

  let outside: () => Promise<void>;

  test("what was read is not asked for again, until something changed", async () => {
    await scripted(
      async ({ workspace, run }) => {
        await workspace.fs.writeFile("/workspace/f", "1");
        outside = () => workspace.fs.writeFile("/workspace/f", "2");
        const source = `${FS} import { change } from "ws:test";
          const read = () => fs.readFile("f", "utf8");
          const seen = [await read(), await read(), await read()];
          const first = await fs.readFile("f"); first[0] = 57;
          seen.push(await read());
          await fs.writeFile("other", "x");
          seen.push(await read());
          await change();
          seen.push(await read(), await read());
          export default () => seen;`;
        const result = await run(source);
        expect(result.value).toEqual(["1", "1", "1", "1", "1", "2", "2"]);
        // Read, write, read, change, read.
        expect(result.script).toEqual({ started: true, hostCalls: 5, roundTrips: 5 });
      },
      {
        modules: {
          // The files as another changes them, in the middle of the run.
          "ws:test": { change: () => outside() },
        },
      },
    );
  });

  test("operations that are not awaited happen in their order", async () => {
    await scripted(async ({ value }) => {
      const source = `${FS} fs.writeFile("f", "1"); fs.appendFile("f", "2"); const early = fs.readFile("f", "utf8"); fs.rename("f", "g"); export default async () => [await early, await fs.readFile("g", "utf8")];`;
      expect(await value(source)).toEqual(["12", "12"]);
    });
  });
});

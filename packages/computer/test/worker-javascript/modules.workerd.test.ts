import { describe, expect, test } from "vitest";
import { scripted } from "./in-object.ts";

type Files = Record<string, string>;

/** The value of a script over these files, by path below the workspace. */
async function valueWith(files: Files, source: string, options: object = {}): Promise<unknown> {
  let result: unknown;
  await scripted(async ({ workspace, value }) => {
    for (const [path, text] of Object.entries(files)) {
      const at = `/workspace/${path}`;
      await workspace.fs.mkdir(at.slice(0, at.lastIndexOf("/")), { recursive: true });
      await workspace.fs.writeFile(at, text);
    }
    result = await value(source);
  }, options);
  return result;
}

/** What a script says that cannot run. */
async function refusal(files: Files, source: string, options: object = {}): Promise<string> {
  let words = "";
  await scripted(async ({ workspace, run }) => {
    for (const [path, text] of Object.entries(files)) {
      const at = `/workspace/${path}`;
      await workspace.fs.mkdir(at.slice(0, at.lastIndexOf("/")), { recursive: true });
      await workspace.fs.writeFile(at, text);
    }
    const result = await run(`console.log("ran"); ${source}`);
    expect(result).toMatchObject({ status: "failed", exitCode: 1, stdout: "", script: { started: false } });
    words = result.stderr;
  }, options);
  return words;
}

describe("a script", () => {
  test("is a real ES module: hoisted functions, live bindings, circles, order of evaluation", async () => {
    const files = {
      "a.js": `import { b, count } from "./b.js"; log("a"); export const a = 1; export function sum() { return a + b + count; }`,
      "b.js": `import { a, sum } from "./a.js"; log("b " + typeof sum); export let count = 0; export const more = () => ++count; export const b = 10;`,
      "c.js": `log("c"); globalThis.c = true;`,
    };
    const source = `
      import { sum } from "./a.js";
      import { more } from "./b.js";
      import "./c.js";
      more();
      export default () => [sum(), later(), globalThis.log.said];
      function later() { return "hoisted"; }`;
    const log = `globalThis.log = Object.assign((text) => log.said.push(text), { said: [] });`;
    expect(await valueWith({ ...files, "log.js": log }, `import "./log.js"; ${source}`)).toEqual([
      12,
      "hoisted",
      ["b function", "a", "c"],
    ]);
  });

  test("waits at its top level, for files, timers and random values too, and so do its imports", async () => {
    const files = {
      "data.txt": "read",
      "top.js": `import fs from "node:fs/promises"; export const text = await fs.readFile("data.txt", "utf8"); export const id = crypto.randomUUID().length;`,
      "lazy.js": `import { text } from "./top.js"; await new Promise((resolve) => setTimeout(resolve, 1)); export default text + crypto.randomUUID().length;`,
    };
    const source = `import { text, id } from "./top.js"; const { default: lazy } = await import("./lazy.js"); export default () => [text, id, lazy];`;
    expect(await valueWith(files, source)).toEqual(["read", 36, "read36"]);
  });

  test("is TypeScript where it is no JavaScript, and imports TypeScript", async () => {
    const files = {
      "lib/kind.ts":
        "export enum Kind { A = 'a' }\nexport interface Shape { kind: Kind }\nexport const of = <T extends Shape>(it: T): Kind => it.kind;",
      "lib/index.ts": "export type { Shape } from './kind.ts';\nexport { Kind, of } from './kind.js';",
    };
    const source = `import { Kind, of, type Shape } from "./lib"; const it: Shape = { kind: Kind.A }; export default (input?: unknown): string => of(it) + (input as string | undefined ?? "");`;
    expect(await valueWith(files, source)).toBe("a");
    expect(await valueWith({}, "const a = 1, b = 2, c = 3; export default () => [a<b, b>(c)];")).toEqual([true, false]);
  });

  test("has import.meta as in Node, and JSON with its attributes", async () => {
    const files = {
      "sub/a b.js": "export const meta = { ...import.meta, at: import.meta.resolve('./x.js') };",
      "d.json": `{"n": 1}`,
    };
    const source = `import { meta } from "./sub/a%20b.js"; import data from "./d.json" with { type: "json" }; export default async () => [meta.url, meta.filename, meta.dirname, meta.at, data, (await import("./d.json", { with: { type: "json" } })).default.n];`;
    expect(await valueWith(files, source)).toEqual([
      "file:///workspace/sub/a%20b.js",
      "/workspace/sub/a b.js",
      "/workspace/sub",
      "file:///workspace/sub/x.js",
      { n: 1 },
      1,
    ]);
  });

  test("may be of any shape: a hash-bang line, nothing at all, a value as its default", async () => {
    expect(await valueWith({}, "#!/usr/bin/env node\nexport default () => 1")).toBe(1);
    expect(await valueWith({}, "// nothing")).toBeUndefined();
    expect(await valueWith({}, "export default { plain: true }")).toEqual({ plain: true });
  });
});

describe("packages of the workspace", () => {
  const files = {
    "node_modules/plain/package.json": `{"main": "lib.js", "type": "module"}`,
    "node_modules/plain/lib.js": "export default 'plain';",
    "node_modules/@scope/pkg/package.json": JSON.stringify({
      type: "module",
      exports: {
        ".": { browser: "./no.js", types: "./no.d.ts", import: { worker: "./worker.js", default: "./no.js" } },
        "./sub/*": "./src/*.js",
        "./sub/private/*": null,
      },
      imports: { "#own": "./own.js" },
    }),
    "node_modules/@scope/pkg/worker.js":
      "import own from '#own'; import plain from 'plain'; export default own + plain;",
    "node_modules/@scope/pkg/own.js": "export default 'own ';",
    "node_modules/@scope/pkg/src/x.js": "export default import.meta.url;",
    "node_modules/@scope/pkg/src/private/y.js": "",
    "node_modules/old/package.json": `{"main": "index.js"}`,
    "node_modules/old/index.js": "module.exports = 1;",
  };

  test("are found by name, by their exports and imports", async () => {
    const source = `import a from "@scope/pkg"; import b from "@scope/pkg/sub/x"; export default () => [a, b];`;
    expect(await valueWith(files, source)).toEqual(["own plain", "file:///workspace/node_modules/@scope/pkg/src/x.js"]);
  });

  test.each([
    ["@scope/pkg/sub/private/y", /exports no \.\/sub\/private\/y/],
    ["@scope/pkg/own.js", /exports no \.\/own\.js/],
    ["old", /CommonJS/],
    ["nowhere", /no package nowhere in a node_modules/],
  ])("%s is refused", async (name, words) => {
    expect(await refusal(files, `import ${JSON.stringify(name)};`)).toMatch(words);
  });
});

describe("what cannot be imported is said before anything runs, with who imports it", () => {
  test.each([
    ["./none.js", /Cannot import "\.\/none\.js" from the script: there is no file \/workspace\/none\.js/],
    ["./deep.js", /Cannot import "\.\/none\.js" from \/workspace\/deep\.js/],
    ["../../etc/passwd", /from the script: EACCES: .*leads out of '\/workspace'/],
    ["/secret.js", /EACCES/],
    ["./out.js", /EACCES/],
    ["./notes.txt", /it is no module/],
    ["node:child_process", /not available in an isolate/],
    ["net", /not available in an isolate/],
    ["https://example.com/x.js", /nothing is fetched/],
    ["ws:none", /no such host module/],
    ["cloudflare:workers", /nothing is fetched/],
    ["/~computer/link.js", /EACCES/],
  ])("%s", async (specifier, words) => {
    const files = { "deep.js": `import "./none.js";`, "notes.txt": "x" };
    const source = JSON.stringify(specifier);
    await scripted(async ({ workspace, run }) => {
      await workspace.fs.writeFile("/secret.js", "export default 1");
      await workspace.fs.symlink("/secret.js", "/workspace/out.js");
      for (const [path, text] of Object.entries(files)) await workspace.fs.writeFile(`/workspace/${path}`, text);
      for (const statement of [`import ${source};`, `export default () => import(${source});`]) {
        const result = await run(`console.log("ran"); ${statement}`);
        expect(result).toMatchObject({ status: "failed", stdout: "", script: { started: false } });
        expect(result.stderr).toMatch(words);
      }
    });
  });

  test("an export that there is not, and what is no JavaScript", async () => {
    expect(await refusal({ "a.js": "export const x = 1;" }, `import { y } from "./a.js";`)).toMatch(
      /SyntaxError.*'y'/s,
    );
    expect(await refusal({ "a.js": "let x = ;" }, `import "./a.js";`)).toMatch(/SyntaxError/);
    expect(await refusal({}, "const = 1;")).toMatch(/SyntaxError/);
    expect(await refusal({ "a.ts": "let x: = 1;" }, `import "./a.ts";`)).toMatch(/Cannot import .*a\.ts/);
  });

  test("more source than the limit", async () => {
    const files = { "long.js": `export default "${"x".repeat(2000)}";` };
    expect(await refusal(files, `import "./long.js";`, { maxSourceBytes: 1000 })).toMatch(
      /1000 bytes \(maxSourceBytes\)/,
    );
  });
});

test("a computed import is refused when it is reached, and not before", async () => {
  const source = `export default async (input) => { try { return (await import("./" + "a.js")).default; } catch (error) { return error.message; } };`;
  expect(await valueWith({ "a.js": "export default 1;" }, source)).toMatch(/must be a literal/);
});

test("a link inside of the root is followed, and two ways to one file are one module", async () => {
  await scripted(async ({ workspace, value }) => {
    await workspace.fs.writeFile("/workspace/real.js", "export const at = import.meta.url; export const same = {};");
    await workspace.fs.symlink("/workspace/real.js", "/workspace/link.js");
    const source = `import * as a from "./real.js"; import * as b from "./link.js"; export default () => [a.at, a.same === b.same];`;
    expect(await value(source)).toEqual(["file:///workspace/real.js", true]);
  });
});

test("configured modules are text of the host's, in reach of each other and of nothing else", async () => {
  const modules = {
    greet: `import { name } from "names"; export default "hello " + name;`,
    names: "export const name: string = 'you';",
  };
  await scripted(
    async ({ value, run }) => {
      expect(await value(`import greet from "greet"; export default () => greet;`)).toBe("hello you");
      expect((await run(`import "reach";`)).stderr).toMatch(
        /from the module reach: a configured module has no directory/,
      );
    },
    { modules: { ...modules, reach: `import "./file.js";` } },
  );
});

test("a file that changed is read anew, one that did not is not", async () => {
  await scripted(async ({ workspace, value }) => {
    await workspace.fs.writeFile("/workspace/n.js", "export default 1;");
    const source = `import n from "./n.js"; export default () => n;`;
    expect(await value(source)).toBe(1);
    expect(await value(source)).toBe(1);
    await workspace.fs.writeFile("/workspace/n.js", "export default 2;");
    expect(await value(source)).toBe(2);
  });
});

test("the pure modules of Node are there", async () => {
  const names =
    "assert buffer crypto events path querystring stream stream/promises string_decoder timers/promises url util zlib".split(
      " ",
    );
  const source = `${names.map((name, at) => `import * as m${at} from "${at % 2 === 0 ? "node:" : ""}${name}";`).join("")}
    export default () => [${names.map((_, at) => `Object.keys(m${at}).length > 0`).join()}];`;
  expect(await valueWith({}, source)).toEqual(names.map(() => true));
});

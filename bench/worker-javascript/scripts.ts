/** What is measured: modules that both systems run, and the files that they find. */

/** The part of a workspace that is used; both systems have it. */
export interface Scripted {
  readonly fs: {
    mkdir(path: string, options?: { recursive?: boolean }): Promise<unknown>;
    writeFile(path: string, content: string): Promise<void>;
  };
  readonly runtime: {
    exec(source: string, options: { encoding: "utf8"; output: false }): Promise<{ result(): Promise<ScriptResult> }>;
  };
}

export interface ScriptResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly value?: unknown;
  /** Ours only. */
  readonly script?: { readonly hostCalls: number; readonly roundTrips: number };
}

export interface Script {
  readonly id: string;
  readonly title: string;
  readonly source: string;
  prepare(workspace: Scripted): Promise<void>;
}

const FILES = 200;
const IMPORTS = 20;
const LINE = "x".repeat(1023);

async function files({ fs }: Scripted, count: number, text: (i: number) => string): Promise<void> {
  for (let i = 0; i < count; i++) await fs.writeFile(`/workspace/f${i}.js`, text(i));
}

const nothing = async (): Promise<void> => {};

/** In the order of the table. */
export const scripts: readonly Script[] = [
  { id: "empty", title: "an empty module", source: "export default () => 1;", prepare: nothing },
  {
    id: "together",
    title: `reads and writes ${FILES} files, together`,
    source: `import fs from "node:fs/promises";
      const names = Array.from({ length: ${FILES} }, (_, i) => "/workspace/f" + i + ".js");
      export default async () => {
        const texts = await Promise.all(names.map((name) => fs.readFile(name, "utf8")));
        await Promise.all(names.map((name, i) => fs.writeFile(name, texts[i])));
        return texts.length;
      };`,
    prepare: (workspace) => files(workspace, FILES, (i) => `// ${i} ${"y".repeat(100)}`),
  },
  {
    id: "apart",
    title: `reads and writes ${FILES} files, one after another`,
    source: `import fs from "node:fs/promises";
      export default async () => {
        for (let i = 0; i < ${FILES}; i++) await fs.writeFile("/workspace/f" + i + ".js", await fs.readFile("/workspace/f" + i + ".js", "utf8"));
        return ${FILES};
      };`,
    prepare: (workspace) => files(workspace, FILES, (i) => `// ${i} ${"y".repeat(100)}`),
  },
  {
    id: "imports",
    title: `${IMPORTS} imports from files`,
    source: `${Array.from({ length: IMPORTS }, (_, i) => `import f${i} from "./f${i}.js";`).join("\n")}
      export default () => ${Array.from({ length: IMPORTS }, (_, i) => `f${i}`).join(" + ")};`,
    prepare: (workspace) => files(workspace, IMPORTS, (i) => `export default ${i};\n// ${"y".repeat(1000)}`),
  },
  {
    id: "output",
    title: "10 MB of output",
    source: `export default () => { for (let i = 0; i < ${10 * 1024}; i++) console.log(${JSON.stringify(LINE)}); return 1; };`,
    prepare: nothing,
  },
];

/** What is measured, in a repository of 3,500 files: each takes a workspace's git, and gives a figure that both systems must agree on. */

export const FILES = 3500;
export const PER_DIRECTORY = 20;
const AUTHOR = { name: "Bench", email: "bench@example.org" };
export const DIR = "/workspace/repo";

/** The part of a git client that both systems have. */
export interface BenchGit {
  init(options: { dir: string; defaultBranch: string }): Promise<void>;
  add(options: { dir: string; paths: string[] }): Promise<void>;
  commit(options: { dir: string; message: string; author: typeof AUTHOR }): Promise<{ oid: string }>;
  status(options: { dir: string }): Promise<unknown[]>;
  log(options: { dir: string; depth: number }): Promise<unknown[]>;
  diff(options: { dir: string }): Promise<string>;
  clone(options: { url: string; dir: string }): Promise<void>;
  lsFiles(options: { dir: string }): Promise<string[]>;
}

export interface BenchFiles {
  mkdir(path: string, options: { recursive: boolean }): Promise<void>;
  writeFile(path: string, text: string): Promise<void>;
}

export interface Subject {
  readonly fs: BenchFiles;
  readonly git: BenchGit;
}

export interface Operation {
  readonly id: string;
  readonly title: string;
  /** What must be there before; it is not measured. */
  readonly prepare: readonly ("files" | "staged" | "committed" | "history" | "changed")[];
  run(subject: Subject, url: string): Promise<number>;
}

/** The steps that operations are prepared by, each after those before it. */
export const preparations: Record<Operation["prepare"][number], (subject: Subject) => Promise<void>> = {
  async files({ fs, git }) {
    await fs.mkdir(DIR, { recursive: true });
    await git.init({ dir: DIR, defaultBranch: "main" });
    for (let i = 0; i < FILES; i++) {
      const folder = `${DIR}/d${Math.floor(i / PER_DIRECTORY)}`;
      if (i % PER_DIRECTORY === 0) await fs.mkdir(folder, { recursive: true });
      await fs.writeFile(`${folder}/f${i}.txt`, `file ${i}\n`.repeat(10));
    }
  },
  staged: ({ git }) => git.add({ dir: DIR, paths: ["."] }),
  async committed({ git }) {
    await git.commit({ dir: DIR, message: "all", author: AUTHOR });
  },
  async history({ fs, git }) {
    for (let i = 0; i < 20; i++) {
      await fs.writeFile(`${DIR}/d0/f0.txt`, `again ${i}\n`);
      await git.add({ dir: DIR, paths: ["d0/f0.txt"] });
      await git.commit({ dir: DIR, message: `change ${i}`, author: AUTHOR });
    }
  },
  async changed({ fs }) {
    for (let i = 0; i < 10; i++)
      await fs.writeFile(`${DIR}/d${i * 17}/f${i * 17 * PER_DIRECTORY}.txt`, `changed ${i}\n`);
  },
};

export const operations: readonly Operation[] = [
  {
    id: "add",
    title: "add of 3,500 new files",
    prepare: ["files"],
    run: async ({ git }) => {
      await git.add({ dir: DIR, paths: ["."] });
      return 0;
    },
  },
  {
    id: "commit",
    title: "commit of 3,500 new files",
    prepare: ["files", "staged"],
    run: async ({ git }) => (await git.commit({ dir: DIR, message: "all", author: AUTHOR })).oid.length,
  },
  {
    id: "status",
    title: "status, nothing changed",
    prepare: ["files", "staged", "committed"],
    run: async ({ git }) => (await git.status({ dir: DIR })).length,
  },
  {
    id: "status-changed",
    title: "status, 10 files changed",
    prepare: ["files", "staged", "committed", "changed"],
    run: async ({ git }) => (await git.status({ dir: DIR })).length,
  },
  {
    id: "diff",
    title: "diff, 10 files changed",
    prepare: ["files", "staged", "committed", "changed"],
    run: async ({ git }) => (await git.diff({ dir: DIR })).match(/^diff --git /gm)?.length ?? 0,
  },
  {
    id: "log",
    title: "log of 20 commits",
    prepare: ["files", "staged", "committed", "history"],
    run: async ({ git }) => (await git.log({ dir: DIR, depth: 20 })).length,
  },
  {
    id: "clone",
    title: "clone over HTTP",
    prepare: [],
    run: async ({ git }, url) => {
      await git.clone({ url, dir: DIR });
      return (await git.lsFiles({ dir: DIR })).length;
    },
  },
];

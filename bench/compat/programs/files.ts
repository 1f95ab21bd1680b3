/** The program `files`. */

import type { Program } from "../program.ts";

export const files: Program = {
  id: "files",
  title: "files: write, stat, list, rename, link, remove",
  async run({ workspace: { fs }, step }) {
    const stat = async (path: string, how: "stat" | "lstat" = "stat"): Promise<object> => {
      const { name, mode, size, isFile, isDirectory, isSymbolicLink } = await fs[how](path);
      return { name, mode, size, isFile, isDirectory, isSymbolicLink };
    };
    await step("mkdir", () => fs.mkdir("/workspace/a/b", { recursive: true }));
    await step("mkdir again, recursive", () => fs.mkdir("/workspace/a/b", { recursive: true }));
    await step("mkdir again", () => fs.mkdir("/workspace/a/b"));
    await step("write", () => fs.writeFile("/workspace/a/é ü.txt", "text — ünï"));
    await step("read", () => fs.readFile("/workspace/a/é ü.txt", "utf8"));
    await step("stat", () => stat("/workspace/a/é ü.txt"));
    await step("stat of a directory", () => stat("/workspace/a"));
    await step("stat of the root", () => stat("/"));
    await step("write with a mode", () => fs.writeFile("/workspace/tool", "#!", { mode: 0o755 }));
    await step("overwrite keeps the mode", async () => {
      await fs.writeFile("/workspace/tool", "#!/bin/sh");
      return stat("/workspace/tool");
    });
    await step("chmod", async () => {
      await fs.chmod("/workspace/tool", 0o600);
      return stat("/workspace/tool");
    });
    await step("exclusive", () => fs.writeFile("/workspace/tool", "x", { exclusive: true }));
    await step("link", () => fs.symlink("tool", "/workspace/link"));
    await step("readlink", () => fs.readlink("/workspace/link"));
    await step("stat through a link", () => stat("/workspace/link"));
    await step("lstat of a link", () => stat("/workspace/link", "lstat"));
    await step("write through a link", async () => {
      await fs.writeFile("/workspace/link", "through");
      return [await stat("/workspace/link", "lstat"), await fs.readFile("/workspace/tool", "utf8")];
    });
    await step("rename over a file", async () => {
      await fs.writeFile("/workspace/new", "new");
      await fs.rename("/workspace/new", "/workspace/tool");
      return fs.readFile("/workspace/tool", "utf8");
    });
    await step("rename of a directory", async () => {
      await fs.rename("/workspace/a", "/workspace/z");
      return fs.readFile("/workspace/z/é ü.txt", "utf8");
    });
    await step("readdir", async () =>
      (await fs.readdir("/workspace")).map(({ name, isFile, isDirectory, isSymbolicLink, size }) => {
        return { name, isFile, isDirectory, isSymbolicLink, size };
      }),
    );
    await step("a page of readdir", async () =>
      (await fs.readdir("/workspace", { limit: 1, offset: 1 })).map(({ name, parentPath }) => ({ name, parentPath })),
    );
    await step("rm of a full directory", () => fs.rm("/workspace/z"));
    await step("rm of a link", async () => {
      await fs.rm("/workspace/link");
      return fs.readFile("/workspace/tool", "utf8");
    });
    await step("rm, recursive", async () => {
      await fs.rm("/workspace/z", { recursive: true });
      return (await fs.readdir("/workspace")).map(({ name }) => name);
    });
    await step("rm of what is not there", () => fs.rm("/workspace/z", { force: true }));
  },
};

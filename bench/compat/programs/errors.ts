/** The program `errors`. */

import type { Program } from "../program.ts";

export const errors: Program = {
  id: "errors",
  title: "errors: what is refused, and how it is told",
  async run({ api, workspace, step }) {
    const { fs, runtime } = workspace;
    await fs.mkdir("/workspace/dir", { recursive: true });
    await fs.writeFile("/workspace/file", "x");
    await fs.symlink("loop2", "/workspace/loop1");
    await fs.symlink("loop1", "/workspace/loop2");
    await step("read of nothing", () => fs.readFile("/workspace/none", "utf8"));
    await step("read of a directory", () => fs.readFile("/workspace/dir", "utf8"));
    await step("read below a file", () => fs.readFile("/workspace/file/x", "utf8"));
    await step("read of a loop", () => fs.readFile("/workspace/loop1", "utf8"));
    await step("write onto a directory", () => fs.writeFile("/workspace/dir", "x"));
    await step("write without a parent", () => fs.writeFile("/workspace/no/x", "x"));
    await step("mkdir without a parent", () => fs.mkdir("/workspace/no/x"));
    await step("mkdir over a file", () => fs.mkdir("/workspace/file", { recursive: true }));
    await step("readdir of a file", () => fs.readdir("/workspace/file"));
    await step("readlink of a file", () => fs.readlink("/workspace/file"));
    await step("rm of nothing", () => fs.rm("/workspace/none"));
    await step("rm of the root", () => fs.rm("/", { recursive: true }));
    await step("rename of nothing", () => fs.rename("/workspace/none", "/workspace/x"));
    await step("rename into itself", () => fs.rename("/workspace/dir", "/workspace/dir/x"));
    await step("symlink over a file", () => fs.symlink("x", "/workspace/file"));
    await step("a relative path", () => fs.stat("workspace"));
    await step("an empty path", () => fs.stat(""));
    await step("a NUL in a path", () => fs.stat("/a\0b"));
    await step("a name of 256 bytes", () => fs.writeFile(`/workspace/${"x".repeat(256)}`, ""));
    await step("dots and slashes", () => fs.readFile("//workspace/./dir/../file", "utf8"));
    await step("a slash after a file", () => fs.readFile("/workspace/file/", "utf8"));
    await step("a backend that there is not", async () => (await runtime.exec("out x", { backend: "other" })).result());
    await step("a run that nobody knows", async () => (await runtime.getExec("unknown")).result());
    await step("a source that fails", async () =>
      (await runtime.exec("out x\nfail on purpose", { encoding: "utf8" })).result(),
    );
    await step("stream and result both", async () => {
      const run = await runtime.exec("out x");
      await run.getReader().read();
      return run.result();
    });
    await step("two backends of one id", () => {
      const backend = { id: "twin", type: "x", connect: () => Promise.reject(new Error("never")) };
      return new api.Workspace({ storage: { sql: workspace.db.sql }, backends: [backend, backend] });
    });
  },
};

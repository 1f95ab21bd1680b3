/** The program `stubs`. */

import type { Program } from "../program.ts";

export const stubs: Program = {
  id: "stubs",
  title: "stubs over RPC: the same from another isolate",
  async run({ client, step }) {
    const { fs, runtime } = client;
    await step("files", async () => {
      await fs.mkdir("/workspace/far", { recursive: true });
      await fs.writeFile("/workspace/far/a", "from afar");
      const { name, size, isFile } = await fs.stat("/workspace/far/a");
      return { name, size, isFile, text: await fs.readFile("/workspace/far/a", "utf8") };
    });
    await step("a stream there", async () => {
      const pieces = [new Uint8Array(70_000).fill(1), new Uint8Array(1).fill(2)];
      await fs.writeFile("/workspace/far/s", ReadableStream.from(pieces) as ReadableStream<Uint8Array<ArrayBuffer>>);
      return (await fs.stat("/workspace/far/s")).size;
    });
    await step("a stream back", async () => {
      let length = 0;
      for await (const piece of await fs.readFile("/workspace/far/s", { byteOffset: 69_990 })) length += piece.length;
      return length;
    });
    await step("lists", async () => ({
      names: (await fs.readdir("/workspace/far")).map(({ name }) => name),
      found: await fs.find("/workspace", "**/a"),
      lines: await fs.grep("afar", "/workspace"),
      listed: await fs.ls("/workspace/far"),
    }));
    await step("an error", () => fs.readFile("/workspace/none", "utf8"));
    await step("the class of an error", async () => {
      const error = await fs.rm("/workspace/none").catch((error: unknown) => error);
      return [error instanceof Error, (error as { code?: string }).code, (error as { path?: string }).path];
    });
    await step("a run", async () => {
      using run = await runtime.exec("out far\nexit 2", { id: "far", encoding: "utf8" });
      return { id: run.id, result: await run.result() };
    });
    await step("a template", async () => {
      using run = await runtime.exec`out ${"two words"}`;
      return run.result();
    });
    await step("events", async () => {
      const seen: unknown[] = [];
      using run = await runtime.exec("out one\nerr two", { id: "seen" });
      for await (const event of run) seen.push(event);
      return seen;
    });
    await step("a kill", async () => {
      using run = await runtime.exec("hang", { id: "far-hung", encoding: "utf8" });
      const result = run.result();
      await run.kill("SIGTERM");
      return result;
    });
    await step("a run that nobody knows", async () => (await runtime.getExec("unknown")).result());
  },
};

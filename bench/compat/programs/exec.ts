/** The program `exec`. */

import type { Program } from "../program.ts";

export const exec: Program = {
  id: "exec",
  title: "exec: a user's own computer, its events and results",
  async run({ workspace, step }) {
    const { runtime, fs } = workspace;
    await fs.mkdir("/workspace", { recursive: true });
    await step("backends", () => runtime.backends());
    await step("a result of bytes", async () => (await runtime.exec("out hello\nerr oh")).result());
    await step("a result of text", async () =>
      (await runtime.exec("out hello\nerr oh", { encoding: "utf8" })).result(),
    );
    await step("a failure", async () => (await runtime.exec("err bad\nexit 3", { encoding: "utf8" })).result());
    await step("a value", async () => (await runtime.exec('value {"n":[1,null,"x"]}', { encoding: "utf8" })).result());
    await step("input, environment, stdin", async () => {
      const options = { encoding: "utf8", input: { k: 1 }, env: { COLOUR: "red" }, stdin: "typed" } as const;
      return (await runtime.exec("input\nenv COLOUR\nenv HOME\nstdin", options)).result();
    });
    await step("files it wrote", async () => {
      await (await runtime.exec("write /workspace/made by hand")).result();
      return fs.readFile("/workspace/made", "utf8");
    });
    await step("events", async () => {
      const events: unknown[] = [];
      for await (const event of await runtime.exec("out one\nerr two\nexit 1", { id: "told", encoding: "utf8" })) {
        events.push(event);
      }
      return events;
    });
    await step("characters cut in two", async () => {
      const run = await runtime.exec("split é—🤖", { encoding: "utf8" });
      let text = "";
      for await (const event of run) if (event.name === "stdout") text += event.value;
      return text;
    });
    await step("a result twice", async () => {
      const run = await runtime.exec("out once", { encoding: "utf8" });
      const [first, second] = [await run.result(), await run.result()];
      return first === second;
    });
    await step("a run again, by its id", async () => {
      await (await runtime.exec("out kept\nout more", { id: "again" })).result();
      return (await runtime.getExec("again", { encoding: "utf8" })).result();
    });
    await step("its events after the first", async () => {
      const events: unknown[] = [];
      for await (const event of await runtime.getExec("again", { encoding: "utf8", resume: 0 })) events.push(event);
      return events;
    });
    await step("a run that is killed", async () => {
      const run = await runtime.exec("out begun\nhang", { id: "hung", encoding: "utf8" });
      const result = run.result();
      await runtime.killExec("hung");
      return result;
    });
    for (const resume of ["full", 0] as const) {
      await step(`the result of a run resumed at ${resume}`, async () => {
        await (await runtime.exec("out kept\nout more", { id: `again-${resume}` })).result();
        return (await runtime.getExec(`again-${resume}`, { encoding: "utf8", resume })).result();
      });
    }
    for (const code of [124, 130, 137, 143]) {
      await step(`a run that ends with ${code} by itself`, async () => (await runtime.exec(`exit ${code}`)).result());
    }
    await step("a run that is disposed", async () => {
      await runtime.disposeExec("again");
      return (await runtime.getExec("again")).result();
    });
    await step("the id of a run", async () => {
      const run = await runtime.exec("out x", { id: "named" });
      return { id: run.id, backend: run.backend, result: await run.result() };
    });
  },
};

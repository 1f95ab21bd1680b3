/** The program `output-limits`. */

import type { Program } from "../program.ts";

export const outputLimits: Program = {
  id: "output-limits",
  title: "output over the limits: its end in the result, all of it in a file",
  async run({ workspace: { fs, runtime }, step }) {
    const saved = async (
      source: string,
      output?: false | { maxLines?: number; maxBytes?: number },
    ): Promise<unknown> => {
      const options = { encoding: "utf8", ...(output === undefined ? {} : { output }) } as const;
      const { stdout, truncated } = await (await runtime.exec(source, options)).result();
      const file = truncated?.stdout?.status === "saved" ? await fs.readFile(truncated.stdout.path, "utf8") : undefined;
      const told = truncated?.stdout && { ...truncated.stdout, path: undefined };
      return { stdout, told, file: file === undefined ? "no file" : { length: file.length, end: file.slice(-16) } };
    };
    await step("below the limits", () => saved("lines 5"));
    await step("over the lines", () => saved("lines 30"));
    await step("over the bytes", () => saved(`out ${"x".repeat(300)}`));
    await step("limits of its own", () => saved("lines 30", { maxLines: 2 }));
    await step("no limits", async () => ((await saved("lines 30", false)) as { stdout: string }).stdout.length);
    await step("a character at the cut", () => saved(`out ${"é".repeat(150)}`));
    await step("the exit event tells it too", async () => {
      for await (const event of await runtime.exec("lines 30", { encoding: "utf8" })) {
        if (event.name === "exit") return { code: event.code, status: event.truncated?.stdout?.status };
      }
      return "no exit";
    });
  },
};

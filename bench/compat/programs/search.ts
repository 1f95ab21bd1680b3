/** The program `search`. */

import type { Program } from "../program.ts";

export const search: Program = {
  id: "search",
  title: "search: find, ls and grep",
  async run({ workspace: { fs }, step }) {
    const tree: Record<string, string> = {
      "src/a.ts": "export const a = 1;\n// TODO one\n",
      "src/b.tsx": "// todo two\r\nlast TODO",
      "src/deep/er/c.ts": "nothing here\n",
      ".cfg/x.md": "# TODO\n",
      "node_modules/m/i.ts": "TODO in a module\n",
      "data.bin": "TODO\0binary",
    };
    for (const [path, text] of Object.entries(tree)) {
      await fs.mkdir(`/w/${path.split("/").slice(0, -1).join("/")}`, { recursive: true });
      await fs.writeFile(`/w/${path}`, text);
    }
    for (const pattern of ["**/*.ts", "**/*.{ts,tsx}", "src/*", "*", "**/a.ts", ".cfg/**", "?????", "src/[ab].*"]) {
      await step(`find ${pattern}`, () => fs.find("/w", pattern));
    }
    await step("find all", () => fs.find("/w"));
    await step("find, excluded", () => fs.find("/w", "**/*.ts", { exclude: ["node_modules"] }));
    await step("find, a page", () => fs.find("/w", "**", { limit: 2, offset: 1 }));
    await step("find in a file", () => fs.find("/w/data.bin"));
    await step("find in nothing", () => fs.find("/nowhere"));
    await step("ls", () => fs.ls("/w/src"));
    await step("ls of half a name", () => fs.ls("/w/sr"));
    await step("grep", () => fs.grep("TODO", "/w"));
    await step("grep, either case", () => fs.grep("todo", "/w", { ignoreCase: true, exclude: ["node_modules"] }));
    await step("grep with an expression", () => fs.grep("^// \\w+", "/w/src", { regex: true }));
    await step("grep with context", () => fs.grep("TODO", "/w/src", { context: 1 }));
    await step("grep, a page", () => fs.grep("TODO", "/w", { limit: 1, offset: 1 }));
    await step("grep of some files", () => fs.grep("TODO", "/w", { include: "**/*.md" }));
    await step("grep in one file", () => fs.grep("a", "/w/src/a.ts"));
    await step("grep with a broken expression", () => fs.grep("[", "/w", { regex: true }));
    await step("grep with a look-behind", () => fs.grep("(?<=// )TODO", "/w", { regex: true }));
  },
};

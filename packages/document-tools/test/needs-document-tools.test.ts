/** When a machine's own pandoc and typst do. */

import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { needsDocumentTools } from "../src/index.ts";
import { workFolder } from "./commands.ts";

test.each([
  ["none", {}, true],
  ["a pandoc without typst", { pandoc: "pandoc 3.10" }, true],
  ["a typst without pandoc", { typst: "typst 0.14.2 (abc)" }, true],
  ["a pandoc that cannot write typst", { pandoc: "pandoc 2.17.1.1", typst: "typst 0.14.2" }, true],
  ["a pandoc one release too old", { pandoc: "pandoc 3.1.1", typst: "typst 0.14.2" }, true],
  ["the oldest that does", { pandoc: "pandoc 3.1.2", typst: "typst 0.12.0" }, false],
  ["a newer one", { pandoc: "pandoc 3.10\nFeatures: +server +lua", typst: "typst 0.14.2" }, false],
  ["a pandoc that does not start", { pandoc: "exit 1", typst: "typst 0.14.2" }, true],
])("needsDocumentTools: %s", async (_, commands: Readonly<Record<string, string>>, expected) => {
  const folder = workFolder();
  for (const [name, says] of Object.entries(commands)) {
    const script = says.startsWith("exit") ? says : `printf '%s\\n' "${says}"`;
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  expect(await needsDocumentTools({ PATH: folder })).toBe(expected);
});

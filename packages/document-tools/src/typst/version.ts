/** Asks the compiler which typst it is. */

import { loadTypst } from "./addon.ts";

/** The version of the typst language and compiler ("0.14.2"). */
export function typstVersion(): string {
  const compiler = loadTypst().NodeCompiler.create();
  const mainFileContent = "#metadata(str(sys.version)) <version>";
  const [found] = compiler.query({ mainFileContent }, { selector: "<version>", field: "value" });
  return String(found);
}

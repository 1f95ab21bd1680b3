/** Keeps compiled code beside the program, for the next start: most of the time of a start is spent on compiling. */

import { existsSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { join } from "node:path";

/** Where nobody can write but who may change the program too. */
const PACKAGES = join(import.meta.dirname, "../node_modules");

/** For what this thread imports from now on. Where there is no such place, or it cannot be written, nothing is kept. */
export function keepCompiled(): void {
  if (existsSync(PACKAGES)) enableCompileCache(join(PACKAGES, ".cache/compiled"));
}

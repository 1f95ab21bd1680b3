/** Keeps compiled code beside the program, for the next start: most of the time of a start is spent on compiling. */

import { enableCompileCache } from "node:module";
import { join } from "node:path";

/** Where nobody can write but who may change the program too. Where it cannot be written, nothing is kept. */
const DIRECTORY = join(import.meta.dirname, "../node_modules/.cache/compiled");

/** For what this thread imports from now on. */
export function keepCompiled(): void {
  enableCompileCache(DIRECTORY);
}

/** Where this checkout is, and its tools. */

import { join } from "node:path";

/** The absolute path of the checkout. */
export const ROOT: string = join(import.meta.dirname, "..");

/** The absolute path of one of the project's commands, such as `tsc`. */
export function tool(name: string): string {
  return join(ROOT, "node_modules", ".bin", name);
}

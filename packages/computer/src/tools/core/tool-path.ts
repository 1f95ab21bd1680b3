/** Paths as models write them, as the absolute ones that files have. */

import { absolutePath } from "../../files/absolute-path.ts";

/** Relative paths begin at `root`; `.`, `..` and doubled slashes are gone, a slash at the end stays. */
export function toolPath(path: string, root: string): string {
  const absolute = absolutePath(root, path);
  return path.endsWith("/") && absolute !== "/" ? `${absolute}/` : absolute;
}

/** The directories that mounts stand for. */

import { ComputerError } from "@cloudflare/computer-rpc";
import { absolutePath } from "../files/absolute-path.ts";

/** Whether a path is a root or lies under it. */
export function isWithin(path: string, root: string): boolean {
  return path === root || root === "/" || path.startsWith(`${root}/`);
}

/** `EOPTION` for a root that cannot be one, and for two of which one lies in the other. */
export function checkRoots(roots: readonly string[]): void {
  for (const root of roots) {
    if (!root.startsWith("/") || absolutePath("/", root) !== root || root.includes("\0")) {
      throw wrong(root, "it must be an absolute path without . and .., such as /workspace/data");
    }
    if (root === "/" || isWithin(root, "/.computer")) throw wrong(root, "the workspace has its own files there");
    const other = roots.find((each) => each !== root && isWithin(root, each));
    if (other !== undefined) throw wrong(root, `it lies in the mount ${other}`);
  }
}

function wrong(root: string, why: string): ComputerError {
  return new ComputerError("EOPTION", `A workspace cannot have a mount at ${JSON.stringify(root)}: ${why}.`);
}

/** What the kernel is told where a store throws. */

import { constants } from "node:os";
import { isFsError } from "@cloudflare/dofs";

/** The negative errno of an error; `EIO`, and a line in the daemon's own log, for one that is not the filesystem's. */
export function negativeErrno(error: unknown): number {
  if (isFsError(error)) return -constants.errno[error.code];
  console.error("computerd: a file operation failed unexpectedly:", error);
  return -constants.errno.EIO;
}

/** Errors that came over Workers RPC, as the classes they were. */

import { rebuildError } from "@cloudflare/computer-rpc";

/** Workers of older compatibility dates put the class before the message, and keep nothing else. */
const CLASS_PREFIX = /^[A-Za-z]*Error: (?=[A-Z_]+: )/;

/** The error as its own class again, with its code and path; one that is none of ours unchanged. */
export function revivedError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const message = error.message.replace(CLASS_PREFIX, "");
  const bare = message === error.message ? error : new Error(message, { cause: error });
  const rebuilt = rebuildError(bare);
  return rebuilt === bare ? error : rebuilt;
}

/** Errors of git on their way to another isolate and back. */

import {
  AlreadyInitializedError,
  GitError,
  MissingIdentityError,
  NotARepositoryError,
  PathOutsideRepoError,
  PathspecNotFoundError,
  UnsupportedError,
} from "../git-error.ts";

const CLASSES = [
  AlreadyInitializedError,
  MissingIdentityError,
  NotARepositoryError,
  PathOutsideRepoError,
  PathspecNotFoundError,
  UnsupportedError,
];
const TOLD = /^(?:[A-Za-z]*Error: )?git ([A-Z]+): ([\s\S]*)$/;

/** The error as it is sent: its message leads with its code. */
export function toldGitError(error: unknown): unknown {
  if (!(error instanceof GitError)) return error;
  return Object.assign(new Error(`git ${error.code}: ${error.message}`, { cause: error }), { code: error.code });
}

/** The error as the class it was; one that is none of git's unchanged. */
export function revivedGitError(error: unknown): unknown {
  const match = error instanceof Error ? TOLD.exec(error.message) : null;
  if (match === null) return error;
  const [, code = "", message = ""] = match;
  const revived = new GitError(code, message, { cause: error });
  const known = CLASSES.find((each) => each.code === code);
  return known === undefined
    ? revived
    : Object.setPrototypeOf(Object.defineProperty(revived, "name", { value: known.name }), known.prototype);
}

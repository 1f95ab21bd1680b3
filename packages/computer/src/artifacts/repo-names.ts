/** The names of a session's repositories among those of a namespace: `<session>__<name>`. */

import { InvalidRepoNameError, InvalidSessionIdError } from "./artifact-error.ts";

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
const SEPARATOR = "__";
const RULE = "letters, digits, dots, dashes and underscores, the first a letter or a digit";

export class RepoNames {
  readonly sessionId: string | undefined;
  readonly #prefix: string;

  /** `InvalidSessionIdError` for one whose repositories could be taken for another's. */
  constructor(sessionId: string | null | undefined) {
    this.sessionId = sessionId ?? undefined;
    this.#prefix = sessionId === undefined || sessionId === null ? "" : `${sessionId}${SEPARATOR}`;
    if (this.sessionId === undefined) return;
    if (this.sessionId === "") {
      throw new InvalidSessionIdError("", "it is empty; leave it out for all repositories of the namespace");
    }
    if (!NAME.test(this.sessionId)) throw new InvalidSessionIdError(this.sessionId, `it has ${RULE}`);
    if (this.sessionId.includes(SEPARATOR) || this.sessionId.endsWith("_")) {
      throw new InvalidSessionIdError(this.sessionId, "two underscores part it from the name of a repository");
    }
  }

  /** The name in the namespace; `InvalidRepoNameError`. */
  stored(name: string): string {
    if (typeof name !== "string" || !NAME.test(name)) {
      throw new InvalidRepoNameError(String(name), name === "" ? "it is empty" : `it has ${RULE}`);
    }
    return this.#prefix + name;
  }

  /** The name within the session; undefined for another's repository. The service takes upper and lower case for the same, a session does not. */
  own(stored: string): string | undefined {
    return stored.startsWith(this.#prefix) ? stored.slice(this.#prefix.length) : undefined;
  }
}

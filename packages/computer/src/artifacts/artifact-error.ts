/** What can go wrong with artifacts; the message leads with the code, so that it survives each RPC hop. */

export class ArtifactError extends Error {
  override readonly name: string = "ArtifactError";
  readonly code: string;

  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(`${code}: ${message}`, options);
    this.code = code;
  }
}

export class InvalidRepoNameError extends ArtifactError {
  static readonly code = "INVALID_REPO_NAME";
  override readonly name: string = "InvalidRepoNameError";

  constructor(name: string, reason: string, options?: { cause?: unknown }) {
    super(InvalidRepoNameError.code, `${JSON.stringify(name)} cannot name a repository: ${reason}.`, options);
  }
}

export class InvalidSessionIdError extends ArtifactError {
  static readonly code = "INVALID_SESSION_ID";
  override readonly name: string = "InvalidSessionIdError";

  constructor(sessionId: string, reason: string, options?: { cause?: unknown }) {
    super(InvalidSessionIdError.code, `${JSON.stringify(sessionId)} cannot name a session: ${reason}.`, options);
  }
}

export class NotFoundError extends ArtifactError {
  static readonly code = "NOT_FOUND";
  override readonly name: string = "NotFoundError";

  constructor(message: string, options?: { cause?: unknown }) {
    super(NotFoundError.code, message, options);
  }
}

/** An error of the binding as one of ours; `name` is the repository as the caller knows it. */
export function artifactError(error: unknown, name: string): unknown {
  if (!(error instanceof Error) || error instanceof ArtifactError || !("code" in error)) return error;
  const { code, message } = error;
  if (typeof code !== "string") return error;
  const cause = { cause: error };
  if (code === "NOT_FOUND") return new NotFoundError(`There is no repository ${name}.`, cause);
  if (code === "ALREADY_EXISTS") return new ArtifactError(code, `There is a repository ${name} already.`, cause);
  if (code === "INVALID_REPO_NAME") return new InvalidRepoNameError(name, "the service refuses it", cause);
  return new ArtifactError(code, message, cause);
}

/** An error that came over Workers RPC, as the class it was. */
export function revivedArtifactError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ArtifactError) return error;
  const [, code, text = ""] = /^(?:[A-Za-z]*Error: )?([A-Z][A-Z_]*): ([\s\S]*)$/.exec(error.message) ?? [];
  if (
    code === undefined ||
    !("code" in error ? error.code === code : /Artifact|Repo|Session|NotFound/.test(error.name))
  ) {
    return error;
  }
  return code === NotFoundError.code
    ? new NotFoundError(text, { cause: error })
    : new ArtifactError(code, text, { cause: error });
}

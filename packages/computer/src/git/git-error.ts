/** The errors of git: one base with a stable `code`, and those that callers tell apart. */

/** Anything that git refuses or cannot do. `exitCode` is that of the command line, 128 unless git's own is another. */
export class GitError extends Error {
  override readonly name: string = "GitError";
  readonly code: string;
  /** What a command line ends with because of it. */
  readonly exitCode: number = 128;

  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options?.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
  }
}

/** `EALREADYINIT`: there is a repository already. */
export class AlreadyInitializedError extends GitError {
  static readonly code = "EALREADYINIT";
  override readonly name: string = "AlreadyInitializedError";

  constructor(dir: string, options?: { cause?: unknown }) {
    super(AlreadyInitializedError.code, `git repository already exists at ${dir}`, options);
  }
}

/** `ENOTAREPO`: neither the directory nor any above it is in a repository. */
export class NotARepositoryError extends GitError {
  static readonly code = "ENOTAREPO";
  override readonly name: string = "NotARepositoryError";

  constructor(dir: string, options?: { cause?: unknown }) {
    super(NotARepositoryError.code, `not a git repository: ${dir}`, options);
  }
}

/** `EIDENTITY`: nobody said who commits. */
export class MissingIdentityError extends GitError {
  static readonly code = "EIDENTITY";
  override readonly name: string = "MissingIdentityError";

  constructor(options?: { cause?: unknown }) {
    super(
      MissingIdentityError.code,
      "author identity unknown. Pass author, set GIT_AUTHOR_NAME / GIT_AUTHOR_EMAIL, or configure defaultIdentity on the GitClient.",
      options,
    );
  }
}

/** `EPATHOUTSIDE`: a path that is not in the repository's work tree. */
export class PathOutsideRepoError extends GitError {
  static readonly code = "EPATHOUTSIDE";
  override readonly name: string = "PathOutsideRepoError";

  constructor(path: string, dir: string, options?: { cause?: unknown }) {
    super(PathOutsideRepoError.code, `path '${path}' is outside the repository at ${dir}`, options);
  }
}

/** `EPATHSPEC`: a path that matches nothing git knows. */
export class PathspecNotFoundError extends GitError {
  static readonly code = "EPATHSPEC";
  override readonly name: string = "PathspecNotFoundError";

  constructor(pathspec: string, options?: { cause?: unknown }) {
    super(PathspecNotFoundError.code, `pathspec '${pathspec}' did not match any files`, options);
  }
}

/** `EUNSUPPORTED`: something of git's that is not done here; the message names it. */
export class UnsupportedError extends GitError {
  static readonly code = "EUNSUPPORTED";
  override readonly name: string = "UnsupportedError";

  constructor(what: string, options?: { cause?: unknown }) {
    super(UnsupportedError.code, `unsupported: ${what}`, options);
  }
}

/** A command that git refuses in words of its own: `stderr` is all that it says, `fatal: ` and `error: ` included. */
export class CommandFailure extends GitError {
  override readonly name: string = "CommandFailure";
  override readonly exitCode: number;
  readonly stderr: string;
  /** What is said beside it, of files it is about. */
  readonly stdout: string;

  constructor(code: string, stderr: string, exitCode = 128, stdout = "") {
    super(code, stderr.trimEnd().replace(/^(?:fatal|error): /, ""));
    this.stderr = stderr.endsWith("\n") ? stderr : `${stderr}\n`;
    this.exitCode = exitCode;
    this.stdout = stdout;
  }
}

/** `fatal: …`, with exit code 128. */
export function fatal(message: string, code = "EFATAL"): CommandFailure {
  return new CommandFailure(code, `fatal: ${message}`, 128);
}

/** `error: …`, with exit code 1 unless another is given. */
export function failed(message: string, exitCode = 1, code = "EFAILED"): CommandFailure {
  return new CommandFailure(code, `error: ${message}`, exitCode);
}

/** The one error of the filesystem, Node-shaped: `ENOENT: no such file or directory, open '/x'`. */

const REASONS = {
  EACCES: "permission denied",
  EBADF: "bad file descriptor",
  EBUSY: "resource busy or locked",
  EEXIST: "file already exists",
  EFBIG: "file too large",
  EILSEQ: "illegal byte sequence",
  EINVAL: "invalid argument",
  EIO: "i/o error",
  EISDIR: "illegal operation on a directory",
  ELOOP: "too many symbolic links encountered",
  EMLINK: "too many links",
  ENAMETOOLONG: "name too long",
  ENOENT: "no such file or directory",
  ENOSPC: "no space left on device",
  ENOSYS: "function not implemented",
  ENOTDIR: "not a directory",
  ENOTEMPTY: "directory not empty",
  ENOTSUP: "operation not supported",
  EPERM: "operation not permitted",
  EROFS: "read-only file system",
  EXDEV: "cross-device link not permitted",
} as const;

/** The codes a filesystem error can have. */
export type FsErrorCode = keyof typeof REASONS;

export interface FsErrorPlace {
  readonly syscall?: string | undefined;
  readonly path?: string | undefined;
  /** The second path of a call that has two. */
  readonly dest?: string | undefined;
  /** Says more than the code's own words, e.g. which argument was wrong. */
  readonly detail?: string | undefined;
  readonly cause?: unknown;
}

export class FsError extends Error {
  override readonly name: string = "FsError";
  readonly code: FsErrorCode;
  readonly syscall: string | undefined;
  readonly path: string | undefined;
  readonly dest: string | undefined;
  readonly detail: string | undefined;

  constructor(code: FsErrorCode, place: FsErrorPlace = {}) {
    super(describe(code, place), place.cause === undefined ? undefined : { cause: place.cause });
    this.code = code;
    this.syscall = place.syscall;
    this.path = place.path;
    this.dest = place.dest;
    this.detail = place.detail;
  }
}

/** Whether a value is a filesystem error with this code, wherever it was thrown. */
export function isFsError(value: unknown, code?: FsErrorCode): value is Error & { code: FsErrorCode } {
  if (!(value instanceof Error) || !("code" in value) || typeof value.code !== "string") return false;
  return code === undefined ? value.code in REASONS : value.code === code;
}

/** The same error with the place a front end knows and a store does not; anything else unchanged. */
export function placed(error: unknown, place: FsErrorPlace): unknown {
  if (!(error instanceof FsError) || error.path !== undefined) return error;
  return new FsError(error.code, { cause: error.cause, detail: error.detail, ...place });
}

/** A filesystem error rebuilt from its message, as it comes out of an RPC hop that kept only that. */
export function parseFsError(message: string): FsError | undefined {
  const match = /^([A-Z]+): (.*?)(?:, (\w+)(?: '(.*?)'(?: -> '(.*)')?)?)?$/s.exec(message);
  const code = match?.[1];
  if (match === null || code === undefined || !(code in REASONS)) return undefined;
  const known = code as FsErrorCode;
  const detail = match[2] === REASONS[known] ? undefined : match[2];
  return new FsError(known, { detail, syscall: match[3], path: match[4], dest: match[5] });
}

function describe(code: FsErrorCode, { syscall, path, dest, detail }: FsErrorPlace): string {
  let message = `${code}: ${detail ?? REASONS[code]}`;
  if (syscall !== undefined) message += `, ${syscall}`;
  if (path !== undefined) message += syscall === undefined ? `, '${path}'` : ` '${path}'`;
  if (dest !== undefined) message += ` -> '${dest}'`;
  return message;
}

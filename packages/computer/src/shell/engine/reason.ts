/** Errors of files in the words of the C library, which tools pass on. */

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "No such file or directory",
  ENOTDIR: "Not a directory",
  EISDIR: "Is a directory",
  EEXIST: "File exists",
  ELOOP: "Too many levels of symbolic links",
  EROFS: "Read-only file system",
  ENOTEMPTY: "Directory not empty",
  EACCES: "Permission denied",
  EPERM: "Operation not permitted",
  EINVAL: "Invalid argument",
  ENOSPC: "No space left on device",
};

/** Why a file could not be had, as a C library says it. */
export function reason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const code = /\b(E[A-Z]+)\b/.exec(message)?.[1];
  return (code === undefined ? undefined : REASONS[code]) ?? message;
}

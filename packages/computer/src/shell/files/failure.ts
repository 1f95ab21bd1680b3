/** An error of the file system. */

/** Node's own words: the interpreter's commands tell errors apart by them. */
export function failure(code: string, reason: string, syscall: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${reason}, ${syscall} '${path}'`), { code });
}

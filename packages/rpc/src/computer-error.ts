/** The base of every error that is not a filesystem's: a stable code that leads the message and so survives each RPC hop. */

import { FsError, parseFsError } from "@cloudflare/dofs";

/** What a {@link ComputerError} can be about. */
const MEANINGS = {
  EEXEC_EXISTS: "a run with this id was already started; nothing was run",
  EEXEC_LOST: "the run is not known: its computer was replaced, or the run was disposed",
  EEXEC_UNCERTAIN: "the connection broke while the command may have been running; it is not run again",
  EPROTOCOL: "the two sides speak different versions",
  ECONNECTION_LOST: "the connection is gone; dial again",
  EUNREACHABLE: "the other side cannot be reached",
  EUNAUTHORIZED: "the secret is missing or wrong",
  ETIMEOUT: "the other side did not answer in time",
  ESYNC: "changes could not be brought over",
  EUNAVAILABLE: "this computer or machine lacks something; the message says what to install or configure",
  EOPTION: "an argument or option is wrong; nothing was changed",
} as const;

/** The codes that a {@link ComputerError} can have. */
export type ComputerErrorCode = keyof typeof MEANINGS;

/** An error with a stable `code`; its message is `CODE: what happened and what to do`. */
export class ComputerError extends Error {
  override readonly name: string = "ComputerError";
  readonly code: ComputerErrorCode;

  constructor(code: ComputerErrorCode, text: string = MEANINGS[code], options?: { cause?: unknown }) {
    super(`${code}: ${text}`, options);
    this.code = code;
  }
}

/** Whether a value is an error of ours with this code, wherever it was thrown. */
export function isComputerError(
  value: unknown,
  code?: ComputerErrorCode,
): value is Error & { code: ComputerErrorCode } {
  if (!(value instanceof Error) || !("code" in value) || typeof value.code !== "string") return false;
  return code === undefined ? value.code in MEANINGS : value.code === code;
}

/** The error as its own class again, after an RPC hop kept only its message; one that is none of ours unchanged. */
export function rebuildError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ComputerError || error instanceof FsError) return error;
  const separator = error.message.indexOf(": ");
  const code = error.message.slice(0, Math.max(separator, 0));
  if (!Object.hasOwn(MEANINGS, code)) return parseFsError(error.message) ?? error;
  const options = error.cause === undefined ? undefined : { cause: error.cause };
  return new ComputerError(code as ComputerErrorCode, error.message.slice(separator + 2), options);
}

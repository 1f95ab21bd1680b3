/** What the host refuses or fails at, as it answers it. */

export type HostErrorCode =
  | "EUNAUTHORIZED"
  | "EINVAL"
  | "ETOOBIG"
  | "EUNKNOWN"
  | "ENOROUTE"
  | "ENOTRUNNING"
  | "EPORT"
  | "ELAUNCH"
  | "ECLEANUP"
  | "EOPTION";

const STATUS: Readonly<Record<HostErrorCode, number>> = {
  EUNAUTHORIZED: 401,
  EINVAL: 400,
  ETOOBIG: 413,
  EUNKNOWN: 404,
  ENOROUTE: 404,
  ENOTRUNNING: 503,
  EPORT: 502,
  ELAUNCH: 500,
  ECLEANUP: 500,
  EOPTION: 500,
};

/** An error of the host; its message says what to do. Answered as JSON `{ code, message }`. */
export class HostError extends Error {
  override readonly name = "HostError";
  readonly code: HostErrorCode;

  constructor(code: HostErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  /** The HTTP status of the answer. */
  get status(): number {
    return STATUS[this.code];
  }
}

/** What goes wrong when a sandbox is made. */

/** A sandbox that could not be made; the message says what the machine lacks and what to do about it. */
export class SandboxError extends Error {
  static readonly code: string = "ESANDBOX";
  readonly code: string = SandboxError.code;
  override readonly name = "SandboxError";
}

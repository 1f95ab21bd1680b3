/** What a run says, followed event by event: the end of each stream for its result, the whole of it into a file where it is long. */

import type { RunExit, TruncatedOutput, WorkspaceRuntimeEvent, WorkspaceRuntimeTruncation } from "./event.ts";
import { type OutputFile, type OutputFiles, outputName } from "./output-files.ts";
import { type OutputLimits, Tail } from "./tail.ts";

type Stream = "stdout" | "stderr";

export interface RunOutputOptions {
  readonly id: string;
  /** Left out: nothing is cut. */
  readonly limits?: OutputLimits | undefined;
  /** Left out: long outputs are not saved, for the reason given. */
  readonly files?: OutputFiles | undefined;
  readonly notSaved?: string | undefined;
}

/** Follows one run. */
export class RunOutput {
  readonly #options: RunOutputOptions;
  #hasResult = true;
  readonly #streams: Record<Stream, { readonly tail: Tail; file?: OutputFile }>;

  constructor(options: RunOutputOptions) {
    this.#options = options;
    this.#streams = { stdout: { tail: new Tail(options.limits) }, stderr: { tail: new Tail(options.limits) } };
  }

  /** Resolves once the event is taken in; an exit comes back saying what was cut. */
  async take(event: WorkspaceRuntimeEvent): Promise<WorkspaceRuntimeEvent> {
    if (event.name !== "exit") {
      await this.#add(event.name, event.value);
      return event;
    }
    return this.#finish(event);
  }

  /** Says that only the events are read: without limits, nothing needs to be kept. */
  withoutResult(): void {
    this.#hasResult = false;
  }

  /** What a result has of a stream. */
  bytes(stream: Stream): Uint8Array {
    return this.#streams[stream].tail.view().bytes;
  }

  /** Saves what there is so far of a run that is not followed to its end. */
  async abandon(): Promise<void> {
    for (const { file } of Object.values(this.#streams)) await file?.close();
  }

  async #add(name: Stream, chunk: Uint8Array): Promise<void> {
    if (!this.#hasResult && this.#options.limits === undefined) return;
    const stream = this.#streams[name];
    if (stream.file === undefined && this.#options.files !== undefined && stream.tail.exceededBy(chunk)) {
      stream.file = this.#options.files.open(outputName(this.#options.id, name));
      for (const earlier of stream.tail.chunks) await stream.file.write(earlier);
    }
    await stream.file?.write(chunk);
    stream.tail.push(chunk);
  }

  async #finish(exit: RunExit): Promise<RunExit> {
    const truncated: WorkspaceRuntimeTruncation = {};
    for (const name of ["stdout", "stderr"] as const) {
      const cut = await this.#cut(name);
      if (cut !== undefined) truncated[name] = cut;
    }
    return Object.keys(truncated).length === 0 ? exit : { ...exit, truncated };
  }

  async #cut(name: Stream): Promise<TruncatedOutput | undefined> {
    const { tail, file } = this.#streams[name];
    if (!tail.exceeded) return undefined;
    const { bytes: _, ...numbers } = tail.view();
    const saved = await file?.close();
    if (file !== undefined && saved?.ok === true) return { status: "saved", path: file.path, ...numbers };
    const reason = saved?.ok === false ? saved.reason : (this.#options.notSaved ?? "saving is turned off");
    return { status: "not-saved", reason, ...numbers };
  }
}

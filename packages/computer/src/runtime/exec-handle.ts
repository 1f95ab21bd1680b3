/** A run in the caller's hands: a stream of its events, or its result. */

import { ComputerError, type KillSignal } from "@cloudflare/computer-rpc";
import type { ExecEncoding, WorkspaceRuntimeEvent } from "./event.ts";
import type { WorkspaceRuntimeResult } from "./result.ts";

/**
 * A run that has started. Read its events, once, or ask for its result; not both.
 *
 * @example
 * using run = await workspace.runtime.exec("npm test", { encoding: "utf8" });
 * for await (const event of run) if (event.name === "stdout") console.log(event.value);
 */
export interface WorkspaceRuntimeExecHandle<E extends ExecEncoding = undefined>
  extends ReadableStream<WorkspaceRuntimeEvent<E>> {
  readonly id: string;
  /** The id of the computer it runs on. */
  readonly backend: string;
  /** Waits for the end. Asked again it gives the same. */
  result(): Promise<WorkspaceRuntimeResult<E>>;
  /**
   * Ends the run, SIGTERM unless another signal is given. Does nothing to a run that has ended. In a container every process of the
   * run gets the signal, and five seconds after SIGTERM SIGKILL; a command that exits meanwhile keeps its exit code. The status is
   * `cancelled` either way.
   */
  kill(signal?: KillSignal): Promise<void>;
  /** Lets go of the handle; the run goes on. Asked for anything new afterwards, it refuses with `EOPTION`. */
  [Symbol.dispose](): void;
}

/** Where a handle gets a run from. */
export interface RunSource<E extends ExecEncoding> {
  readonly id: string;
  readonly backend: string;
  /** Called once, on the first read. */
  events(): ReadableStream<WorkspaceRuntimeEvent<E>>;
  /** Called once, on the first `result()`. */
  result(): Promise<WorkspaceRuntimeResult<E>>;
  kill(signal: KillSignal | undefined): Promise<void>;
  dispose(): void;
}

type Event<E extends ExecEncoding> = WorkspaceRuntimeEvent<E>;

export class ExecHandle<E extends ExecEncoding>
  extends ReadableStream<Event<E>>
  implements WorkspaceRuntimeExecHandle<E>
{
  readonly id: string;
  readonly backend: string;
  readonly #source: RunSource<E>;
  /** Whether its events were read out or cancelled. */
  readonly #reading: { readonly over: boolean };
  #use: "events" | "result" | undefined;
  #result: Promise<WorkspaceRuntimeResult<E>> | undefined;
  #disposed = false;

  constructor(source: RunSource<E>) {
    let reader: ReadableStreamDefaultReader<Event<E>> | undefined;
    const reading = { over: false };
    const pull = async (controller: ReadableStreamDefaultController<Event<E>>): Promise<void> => {
      reader ??= source.events().getReader();
      const { done, value } = await reader.read();
      if (!done) return controller.enqueue(value);
      reading.over = true;
      controller.close();
    };
    const cancel = (reason: unknown): Promise<void> | undefined => {
      reading.over = true;
      return reader?.cancel(reason);
    };
    // Nothing is read ahead: the source must not start before the caller has said what is wanted of it.
    super({ pull, cancel }, { highWaterMark: 0 });
    this.#reading = reading;
    this.#source = source;
    this.id = source.id;
    this.backend = source.backend;
  }

  result(): Promise<WorkspaceRuntimeResult<E>> {
    if (this.#result === undefined) {
      try {
        this.#claim("result");
      } catch (error) {
        return Promise.reject(error);
      }
      this.#result = this.#source.result();
    }
    return this.#result;
  }

  kill(signal?: KillSignal): Promise<void> {
    return this.#source.kill(signal);
  }

  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#source.dispose();
  }

  override getReader(): ReadableStreamDefaultReader<Event<E>>;
  override getReader(options: ReadableStreamGetReaderOptions): ReadableStreamBYOBReader;
  override getReader(
    options?: ReadableStreamGetReaderOptions,
  ): ReadableStreamDefaultReader<Event<E>> | ReadableStreamBYOBReader {
    this.#claim("events");
    return options === undefined ? super.getReader() : super.getReader(options);
  }

  override pipeTo(destination: WritableStream<Event<E>>, options?: StreamPipeOptions): Promise<void> {
    this.#claim("events");
    return super.pipeTo(destination, options);
  }

  override pipeThrough<T>(
    transform: ReadableWritablePair<T, Event<E>>,
    options?: StreamPipeOptions,
  ): ReadableStream<T> {
    this.#claim("events");
    return super.pipeThrough(transform, options);
  }

  override tee(): [ReadableStream<Event<E>>, ReadableStream<Event<E>>] {
    this.#claim("events");
    return super.tee();
  }

  override values(options?: ReadableStreamValuesOptions): AsyncIterableIterator<Event<E>> {
    this.#claim("events");
    return super.values(options);
  }

  override [Symbol.asyncIterator](options?: ReadableStreamValuesOptions): AsyncIterableIterator<Event<E>> {
    this.#claim("events");
    return super[Symbol.asyncIterator](options);
  }

  #claim(use: "events" | "result"): void {
    const another = `getExec("${this.id}") gives another handle.`;
    if (this.#disposed) {
      throw new ComputerError("EOPTION", `This handle of run ${this.id} was let go of: read it before. ${another}`);
    }
    // A stream that was left may be read on; one that is over would say nothing, as if the run had.
    if (this.#use !== undefined && (this.#use !== use || this.#reading.over)) {
      const was = this.#use === "events" ? "a stream of events" : "a result";
      throw new ComputerError(
        "EOPTION",
        `Run ${this.id} was already read as ${was}: read its events, once, or ask for its result(), not both. ${another}`,
      );
    }
    this.#use = use;
  }
}

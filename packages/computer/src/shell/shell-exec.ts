/** One run in the isolate: its events for whoever listens, and how it is ended from outside. */

import { Buffer } from "node:buffer";
import type { KillSignal } from "@cloudflare/computer-rpc";

interface ExitEvent {
  readonly name: "exit";
  /** The exit code, under both names that it has had. */
  readonly value: number;
  readonly code: number;
  readonly ended?: "killed" | "timeout";
}

type Said = { readonly name: "stdout" | "stderr"; readonly bytes: Uint8Array } | ExitEvent;

const SIGNALS: Readonly<Record<KillSignal, number>> = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 };
const TIMED_OUT = 124;
/** Output of neighbouring statements travels together up to this size. */
const JOINED = 64 * 1024;

export class ShellExec {
  readonly id: string;
  readonly #abort = new AbortController();
  readonly #said: Said[] = [];
  readonly #waiting = new Set<() => void>();
  #over = false;
  #waking = false;
  /** The last piece that was handed out to someone, and so must stay as it is. */
  #handed = -1;

  constructor(id: string) {
    this.id = id;
  }

  get over(): boolean {
    return this.#over;
  }

  /** What is said after the end is dropped. */
  write(stream: "stdout" | "stderr", bytes: Uint8Array): void {
    if (this.#over || bytes.length === 0) return;
    const last = this.#said.at(-1);
    if (last?.name === stream && this.#handed < this.#said.length - 1 && last.bytes.length + bytes.length <= JOINED) {
      this.#said[this.#said.length - 1] = { name: stream, bytes: joined(last.bytes, bytes) };
    } else {
      this.#add({ name: stream, bytes });
    }
  }

  /** Runs `work` to its end, or until it is killed or out of time. */
  async run(timeoutMs: number | undefined, work: (signal: AbortSignal) => Promise<number>): Promise<void> {
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => this.#timeOut(timeoutMs), timeoutMs);
    try {
      this.#end(await work(this.#abort.signal));
    } catch (error) {
      this.write("stderr", new TextEncoder().encode(`${error instanceof Error ? error.message : String(error)}\n`));
      this.#end(1);
    } finally {
      clearTimeout(timer);
    }
  }

  kill(signal: KillSignal): void {
    this.#end(128 + SIGNALS[signal], "killed");
  }

  /** Lines of JSON, from the first event. */
  events(): ReadableStream<Uint8Array> {
    let next = 0;
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          while (this.#said.length <= next) await new Promise<void>((resolve) => this.#waiting.add(resolve));
          const said = this.#said[next];
          if (said === undefined) return;
          this.#handed = Math.max(this.#handed, next);
          controller.enqueue(lineOf(this.id, next++, said));
          if (said.name === "exit") controller.close();
        },
      },
      { highWaterMark: 0 },
    );
  }

  #timeOut(timeoutMs: number): void {
    this.write("stderr", new TextEncoder().encode(`timed out after ${timeoutMs} ms and was ended\n`));
    this.#end(TIMED_OUT, "timeout");
  }

  /** The first end is the one that counts. */
  #end(code: number, ended?: "killed" | "timeout"): void {
    if (this.#over) return;
    this.#over = true;
    this.#add({ name: "exit", value: code, code, ...(ended === undefined ? {} : { ended }) });
    if (ended !== undefined) this.#abort.abort();
  }

  #add(said: Said): void {
    this.#said.push(said);
    if (this.#waking || this.#waiting.size === 0) return;
    if (this.#over) {
      this.#wake();
      return;
    }
    // Output of statements that follow each other without a wait goes off together.
    this.#waking = true;
    setTimeout(() => this.#wake(), 0);
  }

  #wake(): void {
    this.#waking = false;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resolve of waiting) resolve();
  }
}

function lineOf(id: string, seq: number, said: Said): Uint8Array {
  const event =
    said.name === "exit"
      ? { id, seq, ...said }
      : { id, seq, name: said.name, bytes: Buffer.from(said.bytes).toString("base64") };
  return new TextEncoder().encode(`${JSON.stringify(event)}\n`);
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}

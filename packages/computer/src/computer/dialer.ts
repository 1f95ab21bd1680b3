/** Keeps one line to a computer, and dials again when it broke. */

import { ComputerError } from "@cloudflare/computer-rpc";
import type { Line } from "./line.ts";

export class Dialer {
  readonly #dial: () => Promise<Line>;
  #line: Promise<Line> | undefined;
  #closed = false;

  constructor(dial: () => Promise<Line>) {
    this.#dial = dial;
  }

  /** The line there is, or a new one where there is none or it broke. */
  async live(): Promise<Line> {
    if (this.#closed)
      throw new ComputerError("EUNAVAILABLE", "The session with this computer was closed: connect anew.");
    const line = await this.#line?.catch(() => undefined);
    if (line !== undefined && !line.lost) return line;
    return this.#replace(line);
  }

  /** Does `work`, and once more over a new line where the first broke: only for what may be done twice. */
  async redialling<T>(work: (line: Line) => Promise<T>): Promise<T> {
    const line = await this.live();
    try {
      return await work(line);
    } catch (error) {
      if (!line.brokenBy(error)) throw error;
      return work(await this.live());
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    const line = await this.#line?.catch(() => undefined);
    await line?.close();
  }

  /** Callers that find the same line broken at the same time share one new line. */
  async #replace(broken: Line | undefined): Promise<Line> {
    const current = await this.#line?.catch(() => undefined);
    if (this.#line === undefined || current === broken || current?.lost !== false) {
      this.#line = this.#dial();
      this.#line.catch(() => {
        this.#line = undefined;
      });
      void broken?.close().catch(() => {});
    }
    return this.#line;
  }
}

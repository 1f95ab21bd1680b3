/** What a server says while it works, told on as it comes. */

import { Buffer } from "node:buffer";
import type { Network } from "./network.ts";

export class ProgressLines {
  readonly #network: Network;
  readonly #decoder = new TextDecoder();
  #held = "";
  #text = "";

  constructor(network: Network) {
    this.#network = network;
  }

  /** All that was said and is no progress. */
  get text(): string {
    return this.#text;
  }

  async add(content: Uint8Array): Promise<void> {
    this.#held += this.#decoder.decode(Buffer.from(content), { stream: true });
    for (let end = this.#held.search(/[\r\n]/); end >= 0; end = this.#held.search(/[\r\n]/)) {
      const line = this.#held.slice(0, end);
      this.#held = this.#held.slice(end + 1);
      this.#tell(line);
    }
  }

  async end(): Promise<void> {
    if (this.#held !== "") this.#tell(this.#held);
    this.#held = "";
  }

  #tell(line: string): void {
    const match = /^([\w ]+): +(?:\d+% \((\d+)\/(\d+)\)|(\d+))/.exec(line);
    if (match === null) {
      if (line !== "") this.#text += `${line}\n`;
    } else {
      const [, phase = "", loaded, total, count] = match;
      this.#network.onProgress?.({
        phase,
        loaded: Number(loaded ?? count),
        ...(total === undefined ? {} : { total: Number(total) }),
      });
    }
    if (line !== "") this.#network.onMessage?.(`${line}\n`);
  }
}

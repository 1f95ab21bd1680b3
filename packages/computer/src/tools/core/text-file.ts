/** A text file with its marks kept apart: a byte order mark, and how its lines end. */

import type { Replacement } from "./locate-edits.ts";

const MARK = "\ufeff";

export class TextFile {
  /** Its text with `\n` at the end of every line that ended with `\r\n`. */
  readonly text: string;
  readonly #source: string;
  readonly #mark: string;
  /** Positions in `text` of the line ends that have a `\r` before them in the file. */
  readonly #returns: readonly number[];
  readonly #ending: "\n" | "\r\n";

  private constructor(source: string) {
    this.#mark = source.startsWith(MARK) ? MARK : "";
    this.#source = source.slice(this.#mark.length);
    const returns: number[] = [];
    this.text = this.#source.replaceAll("\r\n", (_, at: number) => {
      returns.push(at - returns.length);
      return "\n";
    });
    this.#returns = returns;
    const lines = this.text.split("\n").length - 1;
    this.#ending = returns.length * 2 > lines ? "\r\n" : "\n";
  }

  /** Undefined for bytes that are no UTF-8 text. */
  static read(bytes: Uint8Array): TextFile | undefined {
    if (bytes.includes(0)) return undefined;
    try {
      return new TextFile(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
    } catch {
      return undefined;
    }
  }

  /** A text from elsewhere, with lines that end as those of `text`. */
  plain(text: string): string {
    return text.replaceAll("\r\n", "\n").replace(/^\ufeff/, "");
  }

  /** The file with the replacements in it, whose lines end as the file's do; every other byte is as it was. */
  replaced(replacements: readonly Replacement[]): Uint8Array {
    const parts = [this.#mark];
    let at = 0;
    for (const { start, end, text } of replacements) {
      parts.push(this.#source.slice(at, this.#position(start)), text.replaceAll("\n", this.#ending));
      at = this.#position(end);
    }
    parts.push(this.#source.slice(at));
    return new TextEncoder().encode(parts.join(""));
  }

  /** Where a position in `text` is in the file's text: before a `\r\n`, not within it. */
  #position(position: number): number {
    let [low, high] = [0, this.#returns.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#returns[middle] ?? 0) < position) low = middle + 1;
      else high = middle;
    }
    return position + low;
  }
}

/** Paths as git prints them: in quotes, with escapes, where they have bytes that could be misread. */

import { Buffer } from "node:buffer";

const ESCAPES: Readonly<Record<number, string>> = {
  7: "\\a",
  8: "\\b",
  9: "\\t",
  10: "\\n",
  11: "\\v",
  12: "\\f",
  13: "\\r",
  34: '\\"',
  92: "\\\\",
};

export interface QuoteOptions {
  /** Escape bytes above 127 too: `core.quotePath`, on by default. */
  readonly high?: boolean | undefined;
  /** Quote paths with blanks too, as short status does. */
  readonly blanks?: boolean | undefined;
}

export function quotePath(path: string, { high = true, blanks = false }: QuoteOptions = {}): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for
  const special = high ? /[\u0000-\u001f"\\\u007f-\uffff]/ : /[\u0000-\u001f"\\\u007f]/;
  if (!special.test(path)) return blanks && path.includes(" ") ? `"${path}"` : path;
  let text = "";
  for (const char of path) {
    const code = char.codePointAt(0)!;
    if (code > 127 && !high) text += char;
    else {
      for (const byte of Buffer.from(char)) {
        if (ESCAPES[byte] !== undefined) text += ESCAPES[byte];
        else if (byte < 0x20 || byte >= 0x7f) text += `\\${byte.toString(8).padStart(3, "0")}`;
        else text += String.fromCharCode(byte);
      }
    }
  }
  return `"${text}"`;
}

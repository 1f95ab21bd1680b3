/** The header that tells a browser whether to show a file or to save it, and as what. */

import { encodeSegment } from "./rfc3986.ts";

/** `Content-Disposition` for a name of any characters: the plain form for old clients, RFC 8187's for all others. */
export function contentDisposition(disposition: "inline" | "attachment", filename: string): string {
  const name = filename.toWellFormed();
  const plain = name.replaceAll(/[^ !#-[\]-~]/g, "_");
  const exact = `; filename*=UTF-8''${encodeSegment(name)}`;
  return `${disposition}; filename="${plain}"${plain === name && !name.includes("%") ? "" : exact}`;
}

/** Contents on their way to the workspace. */

import type { FileContent } from "just-bash";
import { bytesOf, bytesOfByteString } from "../engine/byte-string.ts";

/** The bytes of what the interpreter writes: text, or a string with one character a byte. */
export function contentOf(content: FileContent, options: { encoding?: string } | string | undefined): Uint8Array {
  if (typeof content !== "string") return content;
  const encoding = typeof options === "string" ? options : options?.encoding;
  return encoding === "binary" || encoding === "latin1" ? bytesOfByteString(content) : bytesOf(content);
}

/** Bytes in pieces. */
export function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    type: "bytes",
    pull(controller) {
      const end = Math.min(at + 1024 * 1024, bytes.length);
      if (end > at) controller.enqueue(bytes.slice(at, end));
      at = end;
      if (at >= bytes.length) controller.close();
    },
  });
}

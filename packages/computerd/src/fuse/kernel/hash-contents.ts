/** The thread that hashes: reads contents where they stand, piece by piece, and answers when it is through. */

import { createHash } from "node:crypto";
import { readSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { CHUNK_BYTES, type Unhashed } from "@cloudflare/dofs";
import type { HashAnswer, HashQuestion } from "./hash-thread.ts";

const buffer = new Uint8Array(CHUNK_BYTES);

parentPort!.on("message", ({ id, wanted }: HashQuestion) => {
  let answer: HashAnswer;
  try {
    answer = { id, hashes: wanted.map(hashOf) };
  } catch (error) {
    answer = { id, message: error instanceof Error ? error.message : String(error) };
  }
  parentPort!.postMessage(answer);
});

function hashOf({ source, length }: Unhashed): Uint8Array {
  const there = "bytes" in source ? source.bytes.length : source.length;
  if ("bytes" in source) buffer.set(source.bytes);
  else {
    const { file, position } = source.place;
    for (let at = 0; at < there; ) {
      const count = readSync(file, buffer, at, there - at, position + at);
      // Cut off meanwhile, so that nobody wants the hash any more.
      if (count === 0) break;
      at += count;
    }
  }
  buffer.fill(0, there, length);
  return Uint8Array.from(createHash("sha256").update(buffer.subarray(0, length)).digest());
}

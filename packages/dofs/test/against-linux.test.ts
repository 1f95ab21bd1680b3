import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { MemoryStore } from "../src/store/memory-store.ts";
import { checkSeed } from "./property/against-linux.ts";

const SEQUENCES = 200;
const LENGTH = 60;
const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest();

process.umask(0);

test(`MemoryStore does what Linux does in ${SEQUENCES} random sequences`, { timeout: 120_000 }, () => {
  for (let seed = 1; seed <= SEQUENCES; seed++) {
    expect(() => checkSeed(seed, LENGTH, () => new MemoryStore({ sha256 }))).not.toThrow();
  }
});

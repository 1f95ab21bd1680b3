import { afterEach, expect, test } from "vitest";
import { checkSeed } from "./property/against-linux.ts";
import { closeDatabases, memoryStore, sqlStore } from "./property/stores.ts";

const LENGTH = 60;

afterEach(closeDatabases);

process.umask(0);

test.each([
  ["MemoryStore", memoryStore, 200],
  ["SqlStore", sqlStore, 100],
])("%s does what Linux does, errors included, in random sequences", { timeout: 120_000 }, (_name, make, count) => {
  for (let seed = 1; seed <= count; seed++) expect(() => checkSeed(seed, LENGTH, make)).not.toThrow();
});

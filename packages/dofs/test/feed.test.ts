import { afterEach, expect, test } from "vitest";
import { checkFeedSeed } from "./property/feed.ts";
import { closeDatabases, memoryStore, sqlStore } from "./property/stores.ts";

const LENGTH = 60;

afterEach(closeDatabases);

test.each([
  ["memory", "memory", memoryStore, memoryStore, 200],
  ["SQL", "memory", sqlStore, memoryStore, 50],
  ["memory", "SQL", memoryStore, sqlStore, 50],
  ["SQL", "SQL", sqlStore, sqlStore, 30],
])("a copy that follows the feed ends up equal: %s to %s", { timeout: 120_000 }, (_from, _to, source, copy, count) => {
  for (let seed = 1; seed <= count; seed++) expect(() => checkFeedSeed(seed, LENGTH, source, copy)).not.toThrow();
});

/**
 * Random sequences of 60 operations, 15,000 in all: stores beside Linux, errors included, and copies that follow a store's feed, cut at any
 * entry and resumed.
 *
 * `node packages/dofs/test/long/sequences.ts [count of a part] [first seed] [part…]`; a part is a number of the list it prints.
 */

import { checkSeed } from "../property/against-linux.ts";
import { checkFeedSeed } from "../property/feed.ts";
import { closeDatabases, memoryStore, sqlStore } from "../property/stores.ts";

const LENGTH = 60;

const [count = 2_500, first = 1, ...wanted] = process.argv.slice(2).map(Number);

process.umask(0);

const parts: [name: string, check: (seed: number) => void][] = [
  ["memory against Linux", (seed) => checkSeed(seed, LENGTH, memoryStore)],
  ["SQL against Linux", (seed) => checkSeed(seed, LENGTH, sqlStore)],
  ["the feed, memory to memory", (seed) => checkFeedSeed(seed, LENGTH, memoryStore, memoryStore)],
  ["the feed, SQL to memory", (seed) => checkFeedSeed(seed, LENGTH, sqlStore, memoryStore)],
  ["the feed, memory to SQL", (seed) => checkFeedSeed(seed, LENGTH, memoryStore, sqlStore)],
  ["the feed, SQL to SQL", (seed) => checkFeedSeed(seed, LENGTH, sqlStore, sqlStore)],
];

let failed = 0;
for (const [i, [name, check]] of parts.entries()) {
  if (wanted.length > 0 && !wanted.includes(i + 1)) continue;
  const started = performance.now();
  for (let seed = first; seed < first + count; seed++) {
    try {
      check(seed);
    } catch (error) {
      failed++;
      console.error(error instanceof Error ? error.message : error);
    }
    closeDatabases();
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${i + 1}. ${name}: ${count} sequences, seeds ${first} to ${first + count - 1}, ${seconds} s`);
}
if (failed > 0) {
  console.error(`${failed} sequences went apart`);
  process.exitCode = 1;
}

/**
 * Ten thousand random sequences against Linux, and ten thousand of a copy that follows the feed.
 *
 * `node packages/dofs/test/long/sequences.ts [count] [first seed]`
 */

import { checkSeed } from "../property/against-linux.ts";
import { checkFeedSeed } from "../property/feed.ts";
import { memoryStore, sqlStore } from "../property/stores.ts";

const LENGTH = 60;
const count = Number(process.argv[2] ?? 10_000);
const first = Number(process.argv[3] ?? 1);

process.umask(0);

/** The slower SQL stores take a share of the seeds. */
const parts: [string, number, (seed: number) => void][] = [
  ["memory against Linux", count, (seed) => checkSeed(seed, LENGTH, memoryStore)],
  ["SQL against Linux", count / 5, (seed) => checkSeed(seed, LENGTH, sqlStore)],
  ["the feed, memory to memory", count, (seed) => checkFeedSeed(seed, LENGTH, memoryStore, memoryStore)],
  ["the feed, SQL to memory", count / 10, (seed) => checkFeedSeed(seed, LENGTH, sqlStore, memoryStore)],
  ["the feed, memory to SQL", count / 10, (seed) => checkFeedSeed(seed, LENGTH, memoryStore, sqlStore)],
];

let failed = 0;
for (const [name, sequences, check] of parts) {
  const started = performance.now();
  for (let seed = first; seed < first + sequences; seed++) {
    try {
      check(seed);
    } catch (error) {
      failed++;
      console.error(error instanceof Error ? error.message : error);
    }
  }
  console.log(`${name}: ${sequences} sequences, ${((performance.now() - started) / 1000).toFixed(1)} s`);
}
if (failed > 0) {
  console.error(`${failed} sequences went apart`);
  process.exitCode = 1;
}

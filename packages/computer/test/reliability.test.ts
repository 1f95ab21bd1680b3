/** Whatever goes wrong and when: nothing acknowledged is lost, nothing runs twice, nothing hangs, success is not told falsely, both sides converge. */

import { expect, test } from "vitest";
import { history, randomPlan } from "./reliability/history.ts";
import { pointsOf, sweep } from "./reliability/sweep.ts";
import { World } from "./reliability/world.ts";

const HISTORIES = 30;
/** Of all points of one history, every so many are tried; the long run tries all. */
const STRIDE = 29;

test(`${HISTORIES} random histories with faults hold`, { timeout: 300_000 }, async () => {
  let happened = 0;
  for (let seed = 1; seed <= HISTORIES; seed++) happened += (await history(seed, randomPlan(seed))).happened.length;
  expect(happened).toBeGreaterThan(HISTORIES);
});

test("one history holds with each kind of fault at steps all along it", { timeout: 300_000 }, async () => {
  const points = (await pointsOf(7)).filter((_, index) => index % STRIDE === 0);
  const coverage = await sweep(7, points);
  expect(coverage.flatMap(({ violations }) => violations)).toEqual([]);
  for (const { existing, covered } of coverage) expect(covered).toBe(existing);
  expect(coverage.filter(({ covered }) => covered > 0).length).toBeGreaterThan(14);
});

test("X-09 a command that is silent for 15 minutes is followed to its end over one connection", async () => {
  const world = new World(1, []);
  const restore = world.clock.install();
  try {
    const began = world.clock.now;
    await world.run(2, 15 * 60_000);
    expect(world.clock.now - began).toBeGreaterThanOrEqual(15 * 60_000);
    expect(world.connections).toBe(1);
    await world.settle();
  } finally {
    restore();
  }
});

test("a seed brings back the same history", async () => {
  const plan = randomPlan(3);
  const [first, second] = [await history(3, plan), await history(3, plan)];
  expect(second.counts).toEqual(first.counts);
  expect(second.happened).toEqual(first.happened);
});

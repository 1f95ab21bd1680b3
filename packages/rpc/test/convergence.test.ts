/** Whatever either side does and wherever the connection breaks, both end equal and nothing written is lost. */

import type { InodeStore } from "@cloudflare/dofs";
import { describe, expect, test } from "vitest";
import { type DaemonRPC, isComputerError } from "../src/index.ts";
import { clock, daemonOf, join, memoryStore } from "./link.ts";
import { generator } from "./random.ts";
import { RandomSide, tokens } from "./random-operations.ts";
import { socketPair } from "./socket-pair.ts";
import { sqlStore } from "./sql-store.ts";
import { tree } from "./tree.ts";

const SEEDS = Number(process.env.SYNC_SEEDS ?? 40);
const FIRST = Number(process.env.SYNC_FIRST ?? 1);

interface Two {
  readonly workspace: InodeStore;
  readonly computer: InodeStore;
  readonly daemon: DaemonRPC;
}

function two(): Two {
  const computer = memoryStore(clock(1_600_000_000_000));
  return { workspace: sqlStore(), computer, daemon: daemonOf(computer) };
}

/** Push, then pull, or the other way round, until it is done or the connection breaks; says how many messages it took. */
async function sync(sides: Two, cutAt: number, pullFirst: boolean): Promise<number> {
  const limits = { entries: 3, messageBytes: 1, liveBytes: 300_000 };
  const pair = socketPair("", cutAt);
  try {
    const { driver, session } = await join(sides.workspace, sides.computer, {
      pair,
      daemon: sides.daemon,
      driver: { limits },
    });
    if (pullFirst) await driver.pullAll();
    await driver.pushAll();
    await driver.pullAll();
    session.close();
  } catch (error) {
    if (!isComputerError(error, "ECONNECTION_LOST")) throw error;
  }
  return pair.sent();
}

/** Syncs without a fault until nothing moves any more. */
async function settle(sides: Two): Promise<void> {
  const { driver, session } = await join(sides.workspace, sides.computer, { daemon: sides.daemon });
  for (let round = 0; round < 5; round++) {
    const pulled = await driver.pullAll();
    const pushed = await driver.pushAll();
    if (pulled.entries + pushed.entries === 0) {
      session.close();
      return;
    }
  }
  throw new Error("both sides keep sending");
}

function expectNothingLost(sides: Two, changes: readonly RandomSide[]): void {
  expect(tree(sides.computer)).toEqual(tree(sides.workspace));
  const there = tokens(sides.workspace, "");
  const released = new Set(changes.flatMap((side) => [...side.released]));
  const lost = changes
    .flatMap((side) => [...side.written])
    .filter((token) => !there.has(token) && !released.has(token));
  expect(lost).toEqual([]);
}

describe("convergence", () => {
  test(`of ${SEEDS} random histories with the connection cut at random`, { timeout: 600_000 }, async () => {
    for (let seed = FIRST; seed < FIRST + SEEDS; seed++) {
      const next = generator(seed);
      const sides = two();
      await settle(sides);
      const changes = [new RandomSide("w", sides.workspace, next), new RandomSide("c", sides.computer, next)];
      try {
        for (let round = 0; round < 6; round++) {
          for (let i = 0; i < 8; i++) changes[next() < 0.5 ? 0 : 1]!.change();
          await sync(sides, next() < 0.7 ? Math.floor(next() * 60) : Number.POSITIVE_INFINITY, next() < 0.5);
        }
        await settle(sides);
        expectNothingLost(sides, changes);
      } catch (error) {
        throw new Error(`seed ${seed}:\n${changes.flatMap(({ log }) => log).join("\n")}`, { cause: error });
      }
    }
  });

  test("of one history with the connection cut at every message", { timeout: 600_000 }, async () => {
    let points = Number.POSITIVE_INFINITY;
    for (let cutAt = 0; cutAt < points; cutAt++) {
      const next = generator(7);
      const sides = two();
      const changes = [new RandomSide("w", sides.workspace, next), new RandomSide("c", sides.computer, next)];
      for (let i = 0; i < 15; i++) changes[0]!.change();
      await settle(sides);
      for (let i = 0; i < 15; i++) for (const side of changes) side.change();
      const messages = await sync(sides, cutAt, false);
      if (messages < cutAt) points = cutAt;
      await settle(sides);
      expectNothingLost(sides, changes);
    }
    expect(points).toBeGreaterThan(30);
  });
});

/** A random sequence on a store and on a real directory: every outcome and the trees at the end must agree. */

import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mkdir } from "../../src/filesystem/mkdir.ts";
import type { InodeStore } from "../../src/inode-store.ts";
import { runOnLinux, treeOfLinux } from "./linux-machine.ts";
import { type Operation, sequence } from "./operation.ts";
import { shrunk } from "./shrink.ts";
import { runOnStore, treeOfStore } from "./store-machine.ts";
import { differences } from "./tree.ts";

/** Links with `..` may lead out of where the operations work, so that lies deep, on both sides. */
const BASE = "/n".repeat(12);
/** In memory where the machine has that, since sequences are many. */
const PLACE = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** What went apart in a sequence; undefined when nothing did. */
export function compareWithLinux(operations: readonly Operation[], store: InodeStore): string | undefined {
  const root = mkdtempSync(join(PLACE, "dofs-property-"));
  try {
    mkdirSync(root + BASE, { recursive: true, mode: 0o755 });
    mkdir(store, BASE, { recursive: true });
    for (const [i, operation] of operations.entries()) {
      const expected = runOnLinux(root + BASE, operation);
      const actual = runOnStore(store, operation, BASE);
      if (actual !== expected) return `${i}. ${JSON.stringify(operation)}: ${actual}, on Linux ${expected}`;
    }
    const apart = differences(treeOfStore(store), treeOfLinux(root), [
      "kind",
      "mode",
      "content",
      "nlink",
      "target",
      "sameAs",
    ]);
    return apart.length === 0 ? undefined : apart.join("\n");
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** Runs the sequence of a seed; where it goes apart, throws with the shortest sequence that still does. */
export function checkSeed(seed: number, length: number, makeStore: () => InodeStore): void {
  const failure = shrunk(sequence(seed, length), (operations) => compareWithLinux(operations, makeStore()));
  if (failure !== undefined) throw new Error(`Seed ${seed} goes apart: ${failure}`);
}

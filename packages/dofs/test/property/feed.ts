/** A store changed at random, and a copy that follows its change feed page by page: in the end they must be equal. */

import { type ChangeCursor, type ChangePage, START } from "../../src/changes.ts";
import type { InodeStore } from "../../src/inode-store.ts";
import { type Operation, sequence } from "./operation.ts";
import { Random } from "./random.ts";
import { shrunk } from "./shrink.ts";
import { runOnStore, treeOfStore } from "./store-machine.ts";
import { differences } from "./tree.ts";

/**
 * One page goes over: with `lost` the copy has it and the source never hears, with `replaced` an empty copy takes the place of the old one.
 * The very first page is not lost: who starts from the start again starts with an empty copy.
 */
interface SyncStep {
  op: "sync";
  entries: number;
  lost: boolean;
  replaced: boolean;
}

type Step = Operation | SyncStep;

const PEER = "copy";
const SOURCE = "source";
const FIELDS = ["kind", "mode", "mtime", "content", "nlink", "target", "sameAs"] as const;

class Follower {
  copy: InodeStore;
  readonly #source: InodeStore;
  readonly #make: () => InodeStore;
  #cursor: ChangeCursor = START;

  constructor(source: InodeStore, make: () => InodeStore) {
    this.#source = source;
    this.#make = make;
    this.copy = make();
  }

  sync({ entries, lost, replaced }: Omit<SyncStep, "op">): boolean {
    if (replaced) {
      this.copy = this.#make();
      this.#cursor = START;
    }
    const page = this.#source.changes(this.#cursor, { entries, peer: PEER });
    this.#take(page);
    const first = this.#cursor.rev === 0 && this.#cursor.baseline === undefined;
    if (lost && !first) return false;
    // A cursor is kept as text between two lives.
    this.#cursor = JSON.parse(JSON.stringify(page.cursor)) as ChangeCursor;
    this.#source.setPeer(PEER, { sent: this.#cursor, received: START });
    return page.done;
  }

  #take(page: ChangePage): void {
    if (page.reset) throw new Error("the feed was reset, though its peer was registered");
    for (const entry of page.entries) {
      if (entry.kind !== "file") continue;
      const missing = this.copy.missingChunks(entry.chunks.map(({ hash }) => hash));
      this.copy.putChunks(
        missing.map((hash) => {
          const bytes = this.#source.getChunk(hash);
          if (bytes === undefined) throw new Error(`a chunk of ${entry.path} is nowhere`);
          return { hash, bytes };
        }),
      );
    }
    const { refused, conflicts } = this.copy.apply(page.entries, { peer: SOURCE });
    if (refused.length + conflicts.length > 0) throw new Error(`refused: ${JSON.stringify({ refused, conflicts })}`);
  }
}

function follow(steps: readonly Step[], source: InodeStore, makeCopy: () => InodeStore): string | undefined {
  const follower = new Follower(source, makeCopy);
  try {
    for (const step of steps) {
      if (step.op === "sync") follower.sync(step);
      else runOnStore(source, step);
    }
    for (let pages = 0; !follower.sync({ entries: 7, lost: false, replaced: false }); pages++) {
      if (pages > 10_000) return "the feed has no end";
    }
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  const apart = differences(treeOfStore(follower.copy), treeOfStore(source), FIELDS);
  return apart.length === 0 ? undefined : apart.join("\n");
}

function steps(seed: number, length: number): Step[] {
  const random = new Random(~seed);
  return sequence(seed, length).flatMap((operation): Step[] => {
    if (!random.chance(0.25)) return [operation];
    const entries = random.chance(0.8) ? 1 + random.below(4) : 100;
    return [operation, { op: "sync", entries, lost: random.chance(0.2), replaced: random.chance(0.02) }];
  });
}

/** Runs the sequence of a seed; where the copy differs in the end, throws with the shortest sequence for which it still does. */
export function checkFeedSeed(
  seed: number,
  length: number,
  makeSource: () => InodeStore,
  makeCopy: () => InodeStore,
): void {
  const failure = shrunk(steps(seed, length), (some) => follow(some, makeSource(), makeCopy));
  if (failure !== undefined) throw new Error(`Seed ${seed} goes apart: ${failure}`);
}

/**
 * `node packages/computerd/test/long/random-operations.ts [seconds] [seed]`, as root, with python3: what a seed decides is done by several
 * processes in a mount and in memory (tmpfs), alone, by turns and in a race, and compared; a peer reads all changes meanwhile. Ten minutes by
 * default. A difference names the seed of its history: with that as an argument the same is done again.
 */

import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { START } from "@cloudflare/dofs";
import { kernelDriver } from "../../src/fuse/kernel-driver.ts";

const PROGRAM = join(import.meta.dirname, "programs/random-operations.py");
const PLAYERS = 4;
const ROUNDS = 6;
/** Steps in a round: of each player in a directory of its own, turns in a common one, and of each in a race of all. */
const ALONE = 600;
const TURNS = 150;
const RACED = 250;
/** A player that says nothing for so long hangs. */
const PATIENCE_MS = 300_000;

const [seconds = 600, firstSeed = randomInt(1_000_000)] = process.argv.slice(2).map(Number);
if (spawnSync("python3", ["--version"]).status !== 0) throw new Error("This needs python3: apt-get install python3.");

/** One of the processes that use the mount. */
class Player {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor(...directories: string[]) {
    this.#child = spawn("python3", [PROGRAM, ...directories], { cwd: "/", stdio: ["pipe", "pipe", "inherit"] });
    this.#lines = createInterface({ input: this.#child.stdout! })[Symbol.asyncIterator]();
  }

  /** Rejects with what the player says unless that is `ok`; resolves with what follows it. */
  async does(...words: (string | number)[]): Promise<string> {
    this.#child.stdin!.write(`${words.join(" ")}\n`);
    const late = sleep(PATIENCE_MS, { done: true, value: "" } as const, { ref: false });
    const line = await Promise.race([this.#lines.next(), late]);
    if (!line.done && line.value.startsWith("ok")) return line.value.slice(2);
    if (line.done) throw new Error(`${words.join(" ")}: no answer`);
    const more = [line.value];
    for (let next = await this.#lines.next(); !next.done; next = await this.#lines.next()) more.push(next.value);
    throw new Error(more.join("\n"));
  }

  async end(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once("close", resolve));
    if (this.#child.exitCode !== null) return;
    this.#child.kill("SIGKILL");
    await ended;
  }
}

const scratch = mkdtempSync(join(tmpdir(), "random-operations-"));
const memory = mkdtempSync("/dev/shm/random-operations-");
const mountPoint = join(scratch, "mnt");
const mount = await kernelDriver.mount({ root: "/workspace", mountPoint, name: "computer-soak" });
const directories = [mountPoint, memory];

/** How many inodes the mount keeps, unlinked ones included. */
async function inodes(): Promise<number> {
  const { files, ffree } = await statfs(mountPoint);
  return files - ffree;
}

/** What a peer does that takes over all changes, large files hashed for it. */
async function readChanges(signal: AbortSignal): Promise<number> {
  let after = START;
  let count = 0;
  while (!signal.aborted) {
    const page = await mount.store.changes(after, { entries: 500, bytes: 1 << 20 });
    count += page.entries.length;
    after = page.cursor;
    if (page.done) await sleep(200);
  }
  return count;
}

async function history(seed: number): Promise<void> {
  const before = await inodes();
  const players = Array.from({ length: PLAYERS }, () => new Player(...directories));
  const own = players.map((_, number) => `own${number}`);
  const together = (action: (player: Player, number: number) => Promise<string>): Promise<string[]> =>
    Promise.all(players.map(action));
  const peer = new AbortController();
  const reading = readChanges(peer.signal);
  let compared = 0;
  try {
    for (const place of [...own, "shared", "race"]) for (const each of directories) await mkdir(join(each, place));
    for (let round = 0; round < ROUNDS; round++) {
      await together((player, number) => player.does("steps", `${seed}.${round}.${number}`, own[number]!, ALONE));
      for (let turn = 0; turn < TURNS; turn++)
        await players[turn % PLAYERS]!.does("steps", `${seed}.${round}.turn${turn}`, "shared", 1 + (turn % 7));
      // What is open may be open in the race too, so that what it does there goes to files of the other places: it is closed before.
      await together((player) => player.does("close"));
      await together((player, number) => player.does("race", `${seed}.${round}.race${number}`, "race", RACED));
      await players[0]!.does("check", "race");
      for (const [number, place] of [...own, "shared"].entries())
        compared += Number(await players[number % PLAYERS]!.does("compare", place));
    }
  } finally {
    peer.abort();
    for (const player of players) await player.end();
  }
  const changes = await reading;
  for (const place of [...own, "shared", "race"])
    for (const each of directories) await rm(join(each, place), { recursive: true });
  const steps = ROUNDS * (PLAYERS * (ALONE + RACED) + TURNS * 4);
  console.log(`history ${seed}: ${steps} steps, ${compared} files compared, ${changes} changes read`);
  // The kernel says a little later what it has forgotten.
  for (let tries = 0; tries < 100 && (await inodes()) > before; tries++) await sleep(200);
  assert.equal(await inodes(), before, "inodes are left where all has been removed");
}

const end = performance.now() + seconds * 1000;
let seed = firstSeed;
try {
  do await history(seed++);
  while (performance.now() < end);
  console.log(`no difference in ${seed - firstSeed} histories from seed ${firstSeed} on`);
} catch (error) {
  console.error(
    `history ${seed - 1} differs; again: node packages/computerd/test/long/random-operations.ts 0 ${seed - 1}`,
  );
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await mount.close();
  rmSync(scratch, { recursive: true });
  rmSync(memory, { recursive: true });
}

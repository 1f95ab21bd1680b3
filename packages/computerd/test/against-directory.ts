/** Does the same random things in two directories and fails where they differ: `node against-directory.ts DIR DIR SEED STEPS`. */

import assert from "node:assert/strict";
import fs from "node:fs";
import { join } from "node:path";

const [mounted = "", real = "", seed = "1", steps = "1000"] = process.argv.slice(2);
const MAX_BYTES = 700_000;
const NAMES = ["a", "b", "c", "dä", "e e", "f.txt"];

/** Numbers that a seed decides. */
let state = Number(seed) * 2_654_435_761 + 1;
function random(below: number): number {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) % below;
}
const pick = <T>(from: readonly T[]): T => from[random(from.length)]!;
const place = (): string => Array.from({ length: 1 + random(3) }, () => pick(NAMES)).join("/");

const bytes = (length: number): Buffer => Buffer.alloc(length, Buffer.from([random(256), random(256), random(256)]));
const offset = (): number => (random(3) === 0 ? 262_144 * random(3) - random(2) : random(MAX_BYTES));

/** Files that are open in both. */
const open: { ours: number; theirs: number }[] = [];

/** A step as it is done in one of the directories; what it gives is compared. */
type Step = (directory: string, mine: "ours" | "theirs") => unknown;

function step(): Step {
  const path = place();
  const other = place();
  const at = Math.max(0, offset());
  const data = bytes(1 + random(random(4) === 0 ? 300_000 : 5000));
  const mode = 0o600 + random(0o200);
  const file = random(open.length || 1);
  const steps: Step[] = [
    (dir) => fs.mkdirSync(join(dir, path)),
    (dir) => fs.mkdirSync(join(dir, path)),
    (dir) => fs.writeFileSync(join(dir, path), data),
    (dir) => fs.writeFileSync(join(dir, path), data),
    (dir) => fs.appendFileSync(join(dir, path), data),
    (dir) => digest(fs.readFileSync(join(dir, path))),
    (dir) => fs.truncateSync(join(dir, path), at),
    (dir) => fs.unlinkSync(join(dir, path)),
    (dir) => fs.rmdirSync(join(dir, path)),
    (dir) => fs.renameSync(join(dir, path), join(dir, other)),
    (dir) => fs.renameSync(join(dir, path), join(dir, other)),
    (dir) => fs.linkSync(join(dir, path), join(dir, other)),
    (dir) => fs.symlinkSync(other, join(dir, path)),
    (dir) => fs.readlinkSync(join(dir, path)),
    (dir) => fs.chmodSync(join(dir, path), mode),
    (dir) => fs.copyFileSync(join(dir, path), join(dir, other)),
    (dir) => fs.readdirSync(join(dir, path)).sort(),
    (dir) => seen(fs.lstatSync(join(dir, path))),
    (dir) => seen(fs.statSync(join(dir, path))),
    (dir, mine) => {
      const fd = fs.openSync(join(dir, path), fs.constants.O_RDWR | fs.constants.O_CREAT, mode);
      if (mine === "ours") open.push({ ours: fd, theirs: -1 });
      else open.at(-1)!.theirs = fd;
    },
  ];
  const onOpen: Step[] = [
    (_, mine) => fs.writeSync(open[file]![mine], data, 0, data.length, at),
    (_, mine) => fs.writeSync(open[file]![mine], data, 0, data.length, at),
    (_, mine) => fs.ftruncateSync(open[file]![mine], at),
    (_, mine) => {
      const into = Buffer.alloc(20_000);
      return digest(into.subarray(0, fs.readSync(open[file]![mine], into, 0, into.length, at)));
    },
    (_, mine) => seen(fs.fstatSync(open[file]![mine])),
  ];
  return pick(open.length > 0 && random(3) === 0 ? onOpen : steps);
}

function digest(contents: Buffer): string {
  return `${contents.length}:${Buffer.from(contents).reduce((sum, byte) => (sum * 31 + byte) | 0, 7)}`;
}

function seen(stat: fs.Stats): unknown {
  const { nlink, mode, size } = stat;
  return stat.isDirectory() ? { nlink, mode } : { nlink, mode, size };
}

function outcome(action: Step, directory: string, mine: "ours" | "theirs"): unknown {
  try {
    return action(directory, mine) ?? "done";
  } catch (error) {
    assert(error instanceof Error && "code" in error, String(error));
    return error.code;
  }
}

function tree(directory: string): unknown {
  return fs
    .readdirSync(directory)
    .sort()
    .map((name) => {
      const path = join(directory, name);
      const stat = fs.lstatSync(path);
      if (stat.isDirectory()) return [name, seen(stat), tree(path)];
      return [name, seen(stat), stat.isSymbolicLink() ? fs.readlinkSync(path) : digest(fs.readFileSync(path))];
    });
}

process.umask(0o022);
for (let number = 1; number <= Number(steps); number++) {
  const action = step();
  const ours = outcome(action, mounted, "ours");
  const theirs = outcome(action, real, "theirs");
  assert.deepEqual(ours, theirs, `step ${number} of seed ${seed} differs: ${action}`);
  if (open.length > 6 || (open.length > 0 && random(20) === 0)) {
    const closed = open.splice(random(open.length), 1)[0]!;
    fs.closeSync(closed.ours);
    fs.closeSync(closed.theirs);
  }
  if (number % 200 === 0)
    assert.deepEqual(tree(mounted), tree(real), `the trees differ after step ${number} of seed ${seed}`);
}
assert.deepEqual(tree(mounted), tree(real), `the trees differ at the end of seed ${seed}`);

/** Situations made at random from a seed: a few commits, then whatever comes. */

import { git, type Situation, type Step, write } from "./step.ts";

/** Random choices that a seed repeats (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  below(bound: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * bound);
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }
}

const FILES = [
  "a.txt",
  "b.txt",
  "src/main.c",
  "src/lib/util.c",
  "src/lib/deep/x.c",
  "doc/read me.md",
  "naïve.txt",
  "run.sh",
  "out/build.o",
  "z",
];
const LINES = [
  "int main(void) {",
  "  return 0;",
  "}",
  "",
  "one",
  "two",
  "three",
  "\tindented",
  "  if (x) {",
  "  }",
  "// comment",
  "alpha beta",
  "é accent",
  "end",
];

/** Commands that only look. */
const LOOKS = [
  "status",
  "status --short",
  "status --porcelain",
  "status --porcelain=v2 --branch",
  "status -s -uall",
  "status --short --ignored",
  "status -sb -uno",
  "diff",
  "diff --cached",
  "diff HEAD",
  "diff --stat",
  "diff --cached --stat --summary",
  "diff --name-status HEAD",
  "diff --numstat HEAD",
  "diff --shortstat",
  "diff --raw --cached",
  "diff -U1 HEAD",
  "diff HEAD~1 HEAD",
  "diff main dev",
  "diff main...dev --stat",
  "log --oneline",
  "log -n 2",
  "log --stat",
  "log --oneline --name-status",
  "log -p -1",
  "log --format=%H%x09%an%x09%ae%x09%ad%x09%s",
  "log --pretty=format:%h|%p|%cn|%ci|%f|%b|%D",
  "log --oneline --all --decorate",
  "log --oneline --no-merges -- src",
  "log --reverse --format=fuller",
  "log --graph --oneline -0",
  "log main..dev --oneline",
  "show",
  "show --stat HEAD~1",
  "show HEAD:a.txt",
  "show --name-only --oneline",
  "ls-files",
  "ls-files -s",
  "ls-files -m -d",
  "ls-files -o --exclude-standard",
  "ls-tree HEAD",
  "ls-tree -r HEAD",
  "ls-tree -r --name-only HEAD src",
  "rev-parse HEAD HEAD^{tree}",
  "rev-parse --short HEAD~1",
  "rev-parse --abbrev-ref HEAD",
  "rev-parse --verify HEAD~9",
  "rev-parse --show-toplevel --show-prefix",
  "branch",
  "branch -v",
  "branch --merged",
  "branch --show-current",
  "tag -l",
  "stash list",
  "stash show",
  "stash show -p",
  "cat-file -p HEAD",
  "cat-file -p HEAD^{tree}",
  "cat-file -t HEAD:src",
  "cat-file -s HEAD:b.txt",
  "remote -v",
  "symbolic-ref HEAD",
  "config --list --local",
  "clean -n",
  "clean -nd",
  "diff --cached --name-only --diff-filter=ADR",
].filter((line) => !line.includes("--graph"));

/** Commands that change something. */
const ACTS = [
  "add .",
  "add .",
  "add -A",
  "add -u",
  "add src",
  "add a.txt",
  "add -f out/build.o",
  "add nothing-here",
  "add -N z",
  "rm --cached b.txt",
  "rm b.txt",
  "rm -r src",
  "rm -f a.txt",
  "rm -r --cached src/lib",
  "commit -m message",
  "commit -m message",
  "commit -a -m 'all of it'",
  "commit -q -m subject -m 'body of it'",
  "commit --amend -m amended",
  "commit --amend --no-edit",
  "commit --allow-empty -m empty",
  "commit -m only a.txt",
  "checkout main",
  "checkout dev",
  "checkout -b feat/one",
  "checkout -",
  "checkout HEAD~1",
  "checkout -- a.txt",
  "checkout HEAD -- src",
  "checkout -f main",
  "switch dev",
  "switch -c feat/one",
  "switch main",
  "switch --detach HEAD~1",
  "branch feat/one",
  "branch -d feat/one",
  "branch -D dev",
  "branch -m feat/one feat/two",
  "merge dev",
  "merge dev",
  "merge main",
  "merge --no-ff -m merged dev",
  "merge --ff-only dev",
  "merge --abort",
  "merge --no-commit --no-ff dev",
  "merge --squash dev",
  "reset",
  "reset --hard",
  "reset --soft HEAD~1",
  "reset HEAD~1",
  "reset --hard HEAD~1",
  "reset -- a.txt",
  "reset -q HEAD src",
  "restore a.txt",
  "restore --staged .",
  "restore --source=HEAD~1 b.txt",
  "stash",
  "stash push -u -m 'put aside'",
  "stash pop",
  "stash apply",
  "stash drop",
  "stash -k",
  "tag v1",
  "tag -a -m 'the tag' v2",
  "tag -d v1",
  "clean -f",
  "clean -fd",
  "clean -fdx",
  "update-ref refs/heads/other HEAD",
  "symbolic-ref HEAD refs/heads/dev",
  "config user.name Someone",
  "config --unset user.name",
];

/** Situations of the same beginning, which is one of a repository's with some history. */
export interface Family {
  readonly base: Situation;
  readonly members: readonly Situation[];
}

export function familyOf(seed: number, size: number, length: number): Family {
  const random = new Random(seed);
  const steps: Step[] = [git("init -q -b main"), ...edits(random, 4 + random.below(4))];
  if (random.chance(40))
    steps.push(write(".gitignore", random.pick(["out/\n", "*.o\n!keep.o\n", "/z\n", "*.txt\n!a.txt\n"])));
  if (random.chance(92)) steps.push(git("add -A"), git("commit -q -m first"));
  if (random.chance(75)) {
    steps.push(
      git("checkout -q -b dev"),
      ...edits(random, 1 + random.below(3)),
      git("add -A"),
      git("commit -q -m 'on dev'"),
    );
    if (random.chance(85)) steps.push(git("checkout -q main"));
    if (random.chance(70))
      steps.push(...edits(random, 1 + random.below(3)), git("add -A"), git("commit -q -m 'on main'"));
  }
  return {
    base: { name: `seed ${seed}`, steps },
    members: Array.from({ length: size }, (_, i) => ({
      name: `seed ${seed} member ${i}`,
      steps: more(new Random(seed * 1000 + i), length),
    })),
  };
}

function more(random: Random, length: number): Step[] {
  return Array.from({ length }, (): Step => {
    const choice = random.below(100);
    if (choice < 35) return edit(random);
    const line = random.pick(choice < 70 ? ACTS : LOOKS);
    return git(line, random.chance(8) && !/^(?:clean|stash)/.test(line) ? { cwd: "src" } : {});
  });
}

function edits(random: Random, count: number): Step[] {
  return Array.from({ length: count }, () => edit(random));
}

function edit(random: Random): Step {
  const path = random.pick(FILES);
  const choice = random.below(100);
  if (choice < 55) return write(path, text(random));
  if (choice < 60) return write(path, "");
  if (choice < 65) return { kind: "bytes", path, bytes: [1, 0, 2, random.below(256)] };
  if (choice < 77) return { kind: "remove", path };
  if (choice < 85) return { kind: "move", from: path, to: random.pick(FILES) };
  if (choice < 90) return { kind: "link", path: "link", target: random.pick(["a.txt", "missing", "src"]) };
  return { kind: "write", path, text: `${LINES.join("\n")}\n${random.pick(LINES)}\n` };
}

function text(random: Random): string {
  const lines = LINES.filter(() => random.chance(75)).map((line) => (random.chance(8) ? `${line}!` : line));
  return lines.join("\n") + (random.chance(85) ? "\n" : "");
}

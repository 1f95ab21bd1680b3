/** Generated situations, each command of them beside the machine's own git: `GIT_SEED` and `GIT_FAMILIES` choose others. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { familyOf } from "./differential/generate.ts";
import { OurGit } from "./differential/our-git.ts";
import { fsck, runRealFamilies } from "./differential/real-git.ts";
import { git, type Outcome, type Situation } from "./differential/step.ts";

const SEED = Number(process.env.GIT_SEED ?? 1);
const FAMILIES = Number(process.env.GIT_FAMILIES ?? 21);
const MEMBERS = 10;
const STEPS = 6;
/** What the repository is in the end: what differs from HEAD, and HEAD, which names all that is committed. */
const END = [git("status --porcelain=v2 --branch -uall")];

const root = mkdtempSync(join(tmpdir(), "git-differential-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test(`${FAMILIES * MEMBERS} situations from seed ${SEED} come out as with the real git, and leave what its fsck finds sound`, {
  timeout: 900_000,
}, async () => {
  const families = Array.from({ length: FAMILIES }, (_, i) => familyOf(SEED + i, MEMBERS, STEPS)).map(
    ({ base, members }) => ({
      base,
      members: members.map(({ name, steps }): Situation => ({ name, steps: [...steps, ...END] })),
    }),
  );
  const real = runRealFamilies(join(root, "real"), families);
  const different: string[] = [];
  const exported: string[] = [];
  let situations = 0;
  for (const { base, members } of families) {
    for (const member of members) {
      const ours = new OurGit();
      different.push(...differences(base, await ours.run(base), real.get(base)!));
      different.push(...differences(member, await ours.run(member, base.steps.length), real.get(member)!));
      const target = join(root, "ours", String(situations++));
      ours.export(target);
      exported.push(target);
    }
  }
  expect([...new Set(different)]).toEqual([]);
  expect(
    fsck(join(root, "fsck"), exported).filter(
      (found) => found !== "" && !/^notice: (?:HEAD points to an unborn branch|No default references)/.test(found),
    ),
  ).toEqual([]);
  expect(situations).toBeGreaterThanOrEqual(process.env.GIT_FAMILIES === undefined ? 200 : 1);
});

/** The command lines of a situation that did not come out alike. */
function differences({ name, steps }: Situation, ours: readonly Outcome[], real: readonly Outcome[]): string[] {
  const lines = steps.flatMap((step) => (step.kind === "git" ? [step.argv.join(" ")] : []));
  return lines.flatMap((line, i) => {
    const [a, b] = [told(ours[i]!), told(real[i]!)];
    return a === b ? [] : [`${name}: git ${line}\n--- ours\n${a}\n--- real\n${b}`];
  });
}

/** Hints are for people, and name ways out that our git has not. */
function told({ stdout, stderr, exitCode }: Outcome): string {
  return `${stdout}\n[${stderr.replaceAll(/^hint:.*\n/gm, "")}] exit ${exitCode}`;
}

/** Diffs of edits, as git applies them. */

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Replacement } from "../../src/tools/core/locate-edits.ts";
import { unifiedDiff } from "../../src/tools/core/unified-diff.ts";

const CASES = 300;
const text = fc
  .array(fc.tuple(fc.constantFrom("a", "b", "ccc", ""), fc.constantFrom("\n", "\n", "\n", "")), {
    minLength: 1,
    maxLength: 40,
  })
  .map((lines) => lines.map(([line, end]) => line + end).join(""))
  .filter((source) => source !== "");

/** A text, and places in it that give way to others. */
const edited = text.chain((source) =>
  fc
    .array(
      fc.tuple(
        fc.nat(source.length),
        fc.nat(6),
        text.map((each) => each.slice(0, 8)),
      ),
      { minLength: 1, maxLength: 5 },
    )
    .map((raw) => {
      const replacements: Replacement[] = [];
      for (const [start, length, put] of raw.toSorted(([a], [b]) => a - b)) {
        const end = Math.min(start + length + 1, source.length);
        if (start >= end || start < (replacements.at(-1)?.end ?? 0)) continue;
        replacements.push({ start, end, text: put });
      }
      return { source, replacements };
    }),
);

function applied(source: string, replacements: readonly Replacement[]): string {
  return replacements
    .toReversed()
    .reduce((whole, { start, end, text }) => whole.slice(0, start) + text + whole.slice(end), source);
}

function linesOf(source: string): string[] {
  return source.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

test("are those of the whole file, whatever was edited where", () => {
  const folder = mkdtempSync(join(tmpdir(), "unified-diff-"));
  try {
    const cases = fc
      .sample(edited, { numRuns: CASES, seed: 11 })
      .map(({ source, replacements }, index) => ({ name: `${index}.txt`, source, replacements }))
      .filter(({ source, replacements }) => ![source, ""].includes(applied(source, replacements)));
    expect(cases.length).toBeGreaterThan(CASES / 2);
    const limits = { maxLines: 10_000, maxLength: 1_000_000 };
    let patch = "";
    for (const { name, source, replacements } of cases) {
      const { diff, firstChangedLine } = unifiedDiff(name, source, replacements, limits);
      patch += diff;
      writeFileSync(join(folder, name), source);
      const [before, after] = [linesOf(source), linesOf(applied(source, replacements))];
      const differs = [...after, ""].findIndex((line, index) => line !== before[index]);
      // Of lines that are alike, the one that was touched may come before the one that shows it.
      expect(firstChangedLine).toBeLessThanOrEqual(differs + 1);
      expect(firstChangedLine).toBeGreaterThan(0);
    }
    writeFileSync(join(folder, "all.patch"), patch);
    execFileSync("git", ["apply", "-p0", "--whitespace=nowarn", "all.patch"], { cwd: folder, stdio: "pipe" });
    for (const { name, source, replacements } of cases) {
      expect(readFileSync(join(folder, name), "utf8")).toBe(applied(source, replacements));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

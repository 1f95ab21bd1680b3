/** The inputs that have broken systems like this one, by component; `docs/cases.md` says what each one is. */

export interface CaseGroup {
  readonly component: string;
  /** Once true, each id must stand in the title of a test that passes. */
  readonly built: boolean;
  readonly ids: readonly string[];
}

export const CASES: readonly CaseGroup[] = [
  { component: "fs", built: true, ids: numbered("F", 1, 2, 3, 4, 6, 8, 10, 11, 13, 14, 15, 17) },
  { component: "search", built: true, ids: numbered("Q", 1, 2, 3, 5, 7, 8, 10) },
  { component: "storage", built: true, ids: numbered("R", 1, 5) },
  { component: "rpc", built: true, ids: numbered("R", 2, 3) },
  { component: "sync", built: true, ids: numbered("Y", 1, 2, 4, 5, 6, 7, 8, 10, 12, 14) },
  { component: "fuse", built: true, ids: numbered("U", 1, 2, 4, 5, 6, 8, 9, 11, 13) },
  { component: "exec", built: true, ids: numbered("X", 1, 4, 5, 6, 7, 9, 10, 11, 12) },
  { component: "shell", built: true, ids: numbered("S", 1, 2, 3, 4, 6, 7, 9, 10, 12, 14, 15, 16) },
  { component: "javascript", built: true, ids: numbered("J", 1, 2, 5, 6, 8) },
  { component: "git", built: true, ids: numbered("G", 1, 3, 4, 6, 7, 8, 9, 11, 12, 13, 14, 16, 17, 19, 21, 22) },
  { component: "tools", built: true, ids: numbered("T", 1, 3, 4, 7, 8, 9, 10) },
  { component: "mounts", built: true, ids: numbered("M", 1, 3, 4, 5, 7) },
  { component: "assets", built: true, ids: numbered("A", 1, 3) },
];

/** What of the cases the titles of passed tests name. */
export function coverage(titles: readonly string[]): { covered: number; total: number; missing: string[] } {
  const named = new Set(titles.flatMap((title) => title.match(/\b[A-Z]-\d\d\b/g) ?? []));
  const all = CASES.flatMap((group) => group.ids);
  const due = CASES.filter((group) => group.built).flatMap((group) => group.ids);
  return {
    covered: all.filter((id) => named.has(id)).length,
    total: all.length,
    missing: due.filter((id) => !named.has(id)),
  };
}

function numbered(letter: string, ...numbers: number[]): string[] {
  return numbers.map((number) => `${letter}-${String(number).padStart(2, "0")}`);
}

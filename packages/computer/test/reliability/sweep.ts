/** One history with each fault at each of its steps, and the table of what was covered. */

import { FAULTS, type Fault, MEANINGS, type PlannedFault, type Point } from "./faults.ts";
import { history } from "./history.ts";

/** Faults by what happens and where: how many steps there are, at how many of them it happened, how often something did not hold. */
export interface Coverage {
  readonly fault: Fault;
  readonly point: Point;
  existing: number;
  covered: number;
  violations: string[];
}

/** All points of the history of a seed with each of their faults. */
export async function pointsOf(seed: number): Promise<PlannedFault[]> {
  const { counts } = await history(seed, []);
  return (Object.keys(FAULTS) as Point[]).flatMap((point) =>
    Array.from({ length: counts[point] }, (_, at) => FAULTS[point].map((fault) => ({ point, at, fault }))).flat(),
  );
}

/** Runs the history once for each of the points. */
export async function sweep(seed: number, points: readonly PlannedFault[]): Promise<Coverage[]> {
  const coverage: Coverage[] = (Object.keys(FAULTS) as Point[]).flatMap((point) =>
    FAULTS[point].map((fault) => ({ fault, point, existing: 0, covered: 0, violations: [] })),
  );
  for (const planned of points) {
    const row = coverage.find(({ fault, point }) => fault === planned.fault && point === planned.point)!;
    row.existing++;
    try {
      const { happened } = await history(seed, [planned]);
      row.covered += happened.length;
    } catch (error) {
      row.covered++;
      row.violations.push(String(error));
    }
  }
  return coverage;
}

const STEPS: Readonly<Record<Point, string>> = {
  message: "a message of either side",
  storage: "a statement that writes to the object's database",
  store: "a call to the computer's store",
  run: "a step of a running command",
  event: "an event that the caller takes",
};

/** The coverage as a table in Markdown. */
export function table(coverage: readonly Coverage[]): string {
  const rows = coverage.map(
    ({ fault, point, existing, covered, violations }) =>
      `| ${MEANINGS[fault]} | ${STEPS[point]} | ${covered} | ${existing} | ${violations.length} |`,
  );
  return [
    "| what goes wrong | at | points covered | points existing | violations |",
    "| --- | --- | --: | --: | --: |",
    ...rows,
  ].join("\n");
}

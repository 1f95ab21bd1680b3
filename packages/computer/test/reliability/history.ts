/** One random history: what both sides do, with faults, and whether everything held. */

import { FAULTS, type Faults, type PlannedFault, type Point } from "./faults.ts";
import { generator } from "./random-tree.ts";
import { World } from "./world.ts";

/** About how many steps of each kind a history has. */
const USUAL: Readonly<Record<Point, number>> = { message: 130, storage: 60, store: 32, run: 10, event: 14 };

/** Runs the history of a seed. Throws with the plan where something that must hold does not. */
export async function history(seed: number, plan: readonly PlannedFault[]): Promise<Faults> {
  const world = new World(seed, plan);
  const restore = world.clock.install();
  try {
    for (let round = 0; round < 4; round++) {
      for (let i = 0; i < 5; i++) world.changeWorkspace();
      if (round > 0) for (let i = Math.floor(world.next() * 4); i > 0; i--) world.changeComputer();
      const what = world.next();
      if (what < 0.15) await world.sync("push");
      else if (what < 0.3) await world.sync("pull");
      await world.run(1 + Math.floor(world.next() * 5));
    }
    await world.settle();
    return world.faults;
  } catch (error) {
    const faults = JSON.stringify(world.faults.happened);
    throw new Error(`seed ${seed}, plan ${JSON.stringify(plan)}, happened ${faults}: ${error}`, { cause: error });
  } finally {
    restore();
  }
}

/** One to three faults at random steps. */
export function randomPlan(seed: number): PlannedFault[] {
  const next = generator(seed ^ 0x5eed);
  const points = Object.keys(FAULTS) as Point[];
  return Array.from({ length: 1 + Math.floor(next() * 3) }, () => {
    const point = points[Math.floor(next() * points.length)]!;
    const faults = FAULTS[point];
    return { point, at: Math.floor(next() * USUAL[point]), fault: faults[Math.floor(next() * faults.length)]! };
  });
}

/** Runs every operation on both systems in one workerd, in turn, and times it from the outside. */

import type { Rows } from "./counted-storage.ts";
import type { Operation } from "./operations.ts";

export const SYSTEMS = ["ours", "published"] as const;
export type System = (typeof SYSTEMS)[number];

export interface Run {
  /** Milliseconds of the whole run, as the client saw it. */
  readonly ms: number;
  readonly rows: Rows;
}

export interface Measured {
  readonly operation: Operation;
  readonly runs: Record<System, Run[]>;
}

/** Asks the Worker; the URL's host does not matter. */
export type Ask = (url: string) => Promise<{ ok: boolean; text(): Promise<string> }>;

/**
 * Each run has an object of its own, prepared and restarted before. The systems take turns at going first. A first round that
 * is not counted warms the code.
 */
export async function measure(
  ask: Ask,
  operations: readonly Operation[],
  rounds: number,
  say: (line: string) => void,
): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const operation of operations) {
    const runs: Record<System, Run[]> = { ours: [], published: [] };
    const answers = new Set<number>();
    for (let round = 0; round <= rounds; round++) {
      for (const system of round % 2 === 0 ? SYSTEMS : SYSTEMS.toReversed()) {
        const { answer, run } = await one(ask, operation, system, `${operation.id}-${round}`);
        answers.add(answer);
        if (round > 0) runs[system].push(run);
      }
    }
    if (answers.size !== 1) throw new Error(`${operation.id}: the systems do not agree: ${[...answers].join(", ")}`);
    measured.push({ operation, runs });
    say(
      `${operation.title}: ${SYSTEMS.map((system) => `${system} ${runs[system].map(({ ms }) => ms.toFixed(1)).join(" ")}`).join(", ")} ms`,
    );
  }
  return measured;
}

async function one(
  ask: Ask,
  operation: Operation,
  system: System,
  name: string,
): Promise<{ answer: number; run: Run }> {
  const url = (step: string) => `http://bench/${step}/${operation.id}?system=${system}&name=${name}`;
  await text(ask, url("prepare"));
  await text(ask, `http://bench/restart?system=${system}&name=${name}`);
  // Starts the object again, so that its start is not part of what is measured.
  await text(ask, `http://bench/run/nothing?system=${system}&name=${name}`);
  const start = performance.now();
  const body = await text(ask, url("run"));
  const ms = performance.now() - start;
  await text(ask, url("delete"));
  const { answer, rows } = JSON.parse(body) as { answer: number; rows: Rows };
  return { answer, run: { ms, rows } };
}

async function text(ask: Ask, url: string): Promise<string> {
  const response = await ask(url);
  const body = await response.text();
  if (!response.ok) throw new Error(`${url}: ${body}`);
  return body;
}

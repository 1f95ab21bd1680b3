/** Where something can go wrong, what can, and when it is to in one history. */

/**
 * The steps that are numbered: a message either side sends, a statement that writes to the object's database, a call to the computer's store, a
 * step of a command, and an event that whoever started the command takes.
 */
export const FAULTS = {
  message: ["cut", "stall", "half-close", "kill", "replace", "restart"],
  storage: ["full", "restart"],
  store: ["full", "kill"],
  run: ["cut", "stall", "half-close", "kill", "replace", "restart"],
  event: ["slow", "cut", "kill", "restart"],
} as const;

export type Point = keyof typeof FAULTS;
export type Fault = (typeof FAULTS)[Point][number];

export interface PlannedFault {
  readonly point: Point;
  /** The number of the step, from 0. */
  readonly at: number;
  readonly fault: Fault;
}

/** What each fault is, for the table. */
export const MEANINGS: Readonly<Record<Fault, string>> = {
  cut: "the connection breaks, both ends are told",
  stall: "nothing arrives any more in either direction, nobody is told",
  "half-close": "nothing arrives any more in one direction, nobody is told",
  kill: "the daemon is killed; the next dial reaches a new one without files",
  replace: "the container is replaced, and its connections only stall",
  restart: "the Durable Object restarts; what it had not stored is gone",
  full: "there is no room for what is to be stored",
  slow: "the one who reads the events waits for five minutes",
};

export class Faults {
  readonly counts: Record<Point, number> = { message: 0, storage: 0, store: 0, run: 0, event: 0 };
  readonly happened: PlannedFault[] = [];
  readonly #plan: PlannedFault[];
  #on = true;

  constructor(plan: readonly PlannedFault[]) {
    this.#plan = [...plan];
  }

  /** No faults from now on, and no more counting. */
  end(): void {
    this.#on = false;
  }

  /** Counts a step, and says what goes wrong at it. */
  step(point: Point): Fault | undefined {
    if (!this.#on) return undefined;
    const at = this.counts[point]++;
    const planned = this.#plan.find((one) => one.point === point && one.at === at);
    if (planned !== undefined) this.happened.push(planned);
    return planned?.fault;
  }
}

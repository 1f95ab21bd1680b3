/** Which life of a computer each run belongs to, remembered through restarts of the object where that is of use. */

import type { Database } from "@cloudflare/dofs";

const CREATE = `CREATE TABLE IF NOT EXISTS vfs_runs (
  computer TEXT, id TEXT, runtime TEXT, timeout INTEGER, started INTEGER NOT NULL, PRIMARY KEY (computer, id)
) STRICT, WITHOUT ROWID`;
const READ = "SELECT runtime, timeout FROM vfs_runs WHERE computer = ? AND id = ?";
const WRITE = "INSERT OR REPLACE INTO vfs_runs (computer, id, runtime, timeout, started) VALUES (?, ?, ?, ?, ?)";
const DELETE = "DELETE FROM vfs_runs WHERE computer = ? AND id = ?";
const PRUNE = `DELETE FROM vfs_runs WHERE computer = ?1 AND started <
  (SELECT started FROM vfs_runs WHERE computer = ?1 ORDER BY started DESC LIMIT 1 OFFSET ?2)`;

/** Runs remembered, the newest, and after how many new ones the older are looked for. */
const REMEMBERED = 1_000;
const PRUNE_EVERY = 200;

export interface KnownRun {
  /** Undefined where the computer does not say which life it is in. */
  readonly runtimeId: string | undefined;
  readonly timeoutMs?: number | undefined;
}

/** `kept` runs are known after a restart of the object; the others cost no write, which everything sent after it would wait for. */
export type KnownFor = "kept" | "this life";

export class KnownRuns {
  readonly #db: Database;
  readonly #computer: string;
  readonly #now: () => number;
  readonly #ofThisLife = new Map<string, KnownRun>();
  #isThere = false;
  #sincePrune = 0;

  constructor(db: Database, computer: string, now: () => number) {
    this.#db = db;
    this.#computer = computer;
    this.#now = now;
  }

  get(id: string): KnownRun | undefined {
    const known = this.#ofThisLife.get(id);
    if (known !== undefined) return known;
    this.#ready();
    const row = this.#db.one<{ runtime: string | null; timeout: number | null }>(READ, this.#computer, id);
    if (row === undefined) return undefined;
    return { runtimeId: row.runtime ?? undefined, timeoutMs: row.timeout ?? undefined };
  }

  remember(id: string, run: KnownRun, how: KnownFor = "kept"): void {
    if (how === "this life") {
      this.#ofThisLife.set(id, run);
      const oldest = this.#ofThisLife.keys().next().value;
      if (this.#ofThisLife.size > REMEMBERED && oldest !== undefined) this.#ofThisLife.delete(oldest);
      return;
    }
    const { runtimeId, timeoutMs } = run;
    this.#ready();
    this.#db.run(WRITE, this.#computer, id, runtimeId ?? null, timeoutMs ?? null, this.#now());
    if (++this.#sincePrune < PRUNE_EVERY) return;
    this.#sincePrune = 0;
    this.#db.run(PRUNE, this.#computer, REMEMBERED - 1);
  }

  forget(id: string): void {
    if (this.#ofThisLife.delete(id)) return;
    this.#ready();
    this.#db.run(DELETE, this.#computer, id);
  }

  #ready(): void {
    if (!this.#isThere) this.#db.run(CREATE);
    this.#isThere = true;
  }
}

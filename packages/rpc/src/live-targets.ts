/** Counts what a session holds open, so that a leak shows. */

/** Entries in the two tables of a session, without the main objects; both are 0 while nothing is under way. */
export interface LiveTargets {
  /** Objects and answers of the other side that this side still holds. */
  readonly imports: number;
  /** Objects and answers of this side that the other still holds. */
  readonly exports: number;
}

export function liveTargets(session: { getStats(): LiveTargets }): LiveTargets {
  const { imports, exports } = session.getStats();
  return { imports: Math.max(imports - 1, 0), exports: Math.max(exports - 1, 0) };
}

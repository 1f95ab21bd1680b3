/** The shortest part of a failing sequence that still fails. */

/** `check` says how a sequence fails, undefined when it does not; gives the last failure with its steps. */
export function shrunk<T>(steps: readonly T[], check: (steps: readonly T[]) => string | undefined): string | undefined {
  let failure = check(steps);
  if (failure === undefined) return undefined;
  let left = [...steps];
  for (let i = left.length - 1; i >= 0; i--) {
    const shorter = left.toSpliced(i, 1);
    const still = check(shorter);
    if (still === undefined) continue;
    left = shorter;
    failure = still;
  }
  return `${failure}\n${left.map((step, i) => `  ${i}. ${JSON.stringify(step)}`).join("\n")}`;
}

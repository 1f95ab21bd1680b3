/** Durations as people write them on a command line. */

const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400 } as const;
const FORM = /^(?:(\d+)|((?:\d+[smhd])+))$/;

/** Seconds of `90`, `30s`, `5m`, `2h30m` or `1d`; undefined for what is none of these, and for none at all. */
export function secondsOf(text: string): number | undefined {
  const [, plain, units] = FORM.exec(text) ?? [];
  if (plain === undefined && units === undefined) return undefined;
  const seconds =
    plain === undefined
      ? [...(units ?? "").matchAll(/(\d+)([smhd])/g)].reduce(
          (sum, [, count, unit]) => sum + Number(count) * SECONDS[unit as keyof typeof SECONDS],
          0,
        )
      : Number(plain);
  return seconds > 0 && Number.isSafeInteger(seconds) ? seconds : undefined;
}

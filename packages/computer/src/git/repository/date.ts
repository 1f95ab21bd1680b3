/** Dates as people write them to git, and as git writes them. */

export interface ZonedDate {
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly zone: string;
}

const UNITS: Readonly<Record<string, number>> = {
  second: 1,
  minute: 60,
  hour: 3600,
  day: 86_400,
  week: 604_800,
  month: 2_629_746,
  year: 31_556_952,
};
const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** A date in one of the forms that scripts use: seconds with a zone, ISO 8601, RFC 2822, git's own, or so long ago. */
export function parseDate(text: string, nowSeconds: number): ZonedDate | undefined {
  const raw = /^@?(\d{5,})(?: ([+-]\d{4}))?$/.exec(text.trim());
  if (raw !== null) return { timestamp: Number(raw[1]), zone: raw[2] ?? "+0000" };
  const relative = /^(\d+|an?|one)[ .](second|minute|hour|day|week|month|year)s?(?:[ .]ago)?$/i.exec(text.trim());
  if (relative !== null) {
    const count = /^\d/.test(relative[1]!) ? Number(relative[1]) : 1;
    return { timestamp: nowSeconds - count * UNITS[relative[2]!.toLowerCase()]!, zone: "+0000" };
  }
  if (/^(now|today)$/i.test(text.trim())) return { timestamp: nowSeconds, zone: "+0000" };
  if (/^yesterday$/i.test(text.trim())) return { timestamp: nowSeconds - UNITS.day!, zone: "+0000" };
  const iso =
    /^(\d{4})[-./](\d{1,2})[-./](\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?\s*(Z|[+-]\d{2}:?\d{2})?$/.exec(
      text.trim(),
    );
  if (iso !== null)
    return zoned(
      iso.slice(1, 7).map((part) => Number(part ?? 0)),
      iso[7],
    );
  const mail = /^(?:\w{3},? )?(\d{1,2}) (\w{3}) (\d{4}) (\d{1,2}):(\d{2})(?::(\d{2}))? ?([+-]\d{4}|GMT|Z)?$/.exec(
    text.trim(),
  );
  if (mail !== null) {
    const [, day, month, year, hour, minute, second, zone] = mail;
    return zoned(
      [Number(year), MONTHS.indexOf(month!) + 1, Number(day), Number(hour), Number(minute), Number(second ?? 0)],
      zone,
    );
  }
  const own = /^(?:\w{3} )?(\w{3}) +(\d{1,2}) (\d{1,2}):(\d{2}):(\d{2}) (\d{4})(?: ([+-]\d{4}))?$/.exec(text.trim());
  if (own !== null) {
    const [, month, day, hour, minute, second, year, zone] = own;
    return zoned(
      [Number(year), MONTHS.indexOf(month!) + 1, Number(day), Number(hour), Number(minute), Number(second)],
      zone,
    );
  }
  return undefined;
}

function zoned(
  [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0]: number[],
  given: string | undefined,
): ZonedDate | undefined {
  if (month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  const zone = given === undefined || given === "Z" || given === "GMT" ? "+0000" : given.replace(":", "");
  return { timestamp: Date.UTC(year, month - 1, day, hour, minute, second) / 1000 - offsetSeconds(zone), zone };
}

function offsetSeconds(zone: string): number {
  const sign = zone.startsWith("-") ? -1 : 1;
  return sign * (Number(zone.slice(1, 3)) * 3600 + Number(zone.slice(3, 5)) * 60);
}

/** Minutes west of Greenwich, as JavaScript counts them. */
export function offsetMinutes(zone: string): number {
  const minutes = -offsetSeconds(zone) / 60;
  return minutes === 0 ? 0 : minutes;
}

/** A date in one of git's formats: `default`, `iso`, `iso-strict`, `rfc`, `short`, `raw`, `unix`, `relative`, `format:…`. */
export function dateText({ timestamp, zone }: ZonedDate, format: string, nowSeconds: number): string {
  const local = new Date((timestamp + offsetSeconds(zone)) * 1000);
  const two = (number: number): string => String(number).padStart(2, "0");
  const year = String(local.getUTCFullYear());
  const day = `${year}-${two(local.getUTCMonth() + 1)}-${two(local.getUTCDate())}`;
  const time = `${two(local.getUTCHours())}:${two(local.getUTCMinutes())}:${two(local.getUTCSeconds())}`;
  const weekday = DAYS[local.getUTCDay()]!;
  const month = MONTHS[local.getUTCMonth()]!;
  switch (format) {
    case "iso":
    case "iso8601":
      return `${day} ${time} ${zone}`;
    case "iso-strict":
    case "iso8601-strict":
      return `${day}T${time}${zone === "+0000" ? "+00:00" : `${zone.slice(0, 3)}:${zone.slice(3)}`}`;
    case "rfc":
    case "rfc2822":
      return `${weekday}, ${local.getUTCDate()} ${month} ${year} ${time} ${zone}`;
    case "short":
      return day;
    case "raw":
      return `${timestamp} ${zone}`;
    case "unix":
      return String(timestamp);
    case "relative":
      return relativeText(nowSeconds - timestamp);
    case "default":
    case "normal":
      return `${weekday} ${month} ${local.getUTCDate()} ${time} ${year} ${zone}`;
  }
  const names: Readonly<Record<string, string>> = {
    ...{ Y: year, m: two(local.getUTCMonth() + 1), d: two(local.getUTCDate()), H: two(local.getUTCHours()) },
    ...{ M: two(local.getUTCMinutes()), S: two(local.getUTCSeconds()), y: year.slice(-2), z: zone, "%": "%" },
    ...{ F: day, T: time, a: weekday, b: month, s: String(timestamp), e: String(local.getUTCDate()).padStart(2) },
  };
  return format.replace(/^format:/, "").replaceAll(/%(.)/g, (all, letter: string) => names[letter] ?? all);
}

function relativeText(seconds: number): string {
  const ago = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? "" : "s"}`;
  if (seconds < 0) return "in the future";
  if (seconds < 90) return `${ago(seconds, "second")} ago`;
  const minutes = Math.floor((seconds + 30) / 60);
  if (minutes < 90) return `${ago(minutes, "minute")} ago`;
  const hours = Math.floor((minutes + 30) / 60);
  if (hours < 36) return `${ago(hours, "hour")} ago`;
  const days = Math.floor((hours + 12) / 24);
  if (days < 14) return `${ago(days, "day")} ago`;
  if (days < 70) return `${ago(Math.floor((days + 3) / 7), "week")} ago`;
  if (days < 365) return `${ago(Math.floor((days + 15) / 30), "month")} ago`;
  if (days < 1825) {
    const total = Math.floor((days * 12 * 2 + 365) / (365 * 2));
    const years = Math.floor(total / 12);
    const rest = total % 12;
    return rest > 0 ? `${ago(years, "year")}, ${ago(rest, "month")} ago` : `${ago(years, "year")} ago`;
  }
  return `${ago(Math.floor((days + 183) / 365), "year")} ago`;
}

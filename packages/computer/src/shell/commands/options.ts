/** Command lines as GNU tools read them. */

import { Failure } from "./command.ts";

/**
 * What options a command has: `"n,lines="` is `-n X` and `--lines=X`, `"q,quiet"` is `-q` and `--quiet`, `"color?"` takes a value only
 * behind `=`. The first name is the one that values come under.
 */
export interface Parsed {
  /** The values of each option given, in order; "" for one that takes none. */
  readonly given: ReadonlyMap<string, readonly string[]>;
  readonly operands: string[];
  /** Every option in the order of the command line. */
  readonly order: readonly (readonly [name: string, value: string])[];
  has(name: string): boolean;
  /** The last value given. */
  value(name: string): string | undefined;
}

interface Option {
  readonly key: string;
  readonly takes: "none" | "value" | "optional";
}

export interface ParseOptions {
  /** Exit code of a usage error. */
  readonly code?: number;
  /** Stop at the first operand. */
  readonly posix?: boolean;
  /** Turns an older form such as `-5` into its newer one. */
  readonly rewrite?: (arg: string) => string[] | undefined;
}

export function parseOptions(args: readonly string[], spec: readonly string[], how: ParseOptions = {}): Parsed {
  const options = optionsOf(spec);
  const code = how.code ?? 1;
  const order: [string, string][] = [];
  const operands: string[] = [];
  const left = [...args];
  const valueFor = (name: string): string => {
    const value = left.shift();
    if (value === undefined)
      throw new Failure(
        `option ${name.startsWith("--") ? `'${name}'` : ""} requires an argument${name.startsWith("--") ? "" : ` -- '${name}'`}`.replace(
          "  ",
          " ",
        ),
        code,
      );
    return value;
  };
  for (let arg = left.shift(); arg !== undefined; arg = left.shift()) {
    const rewritten = how.rewrite?.(arg);
    if (rewritten !== undefined) {
      left.unshift(...rewritten);
      continue;
    }
    if (arg === "--") {
      operands.push(...left);
      break;
    }
    if (arg.startsWith("--")) {
      const [name = "", ...rest] = arg.slice(2).split("=");
      const option = longOption(options, name, code);
      const value = rest.length > 0 ? rest.join("=") : undefined;
      if (option.takes === "none" && value !== undefined)
        throw new Failure(`option '--${name}' doesn't allow an argument`, code);
      order.push([option.key, value ?? (option.takes === "value" ? valueFor(`--${name}`) : "")]);
    } else if (arg.startsWith("-") && arg !== "-") {
      for (let at = 1; at < arg.length; at++) {
        const letter = arg[at] ?? "";
        const option = options.get(letter);
        if (option === undefined) throw new Failure(`invalid option -- '${letter}'`, code);
        if (option.takes === "none") {
          order.push([option.key, ""]);
          continue;
        }
        const rest = arg.slice(at + 1);
        order.push([option.key, rest !== "" || option.takes === "optional" ? rest : valueFor(letter)]);
        break;
      }
    } else {
      operands.push(arg);
      if (how.posix === true) {
        operands.push(...left);
        break;
      }
    }
  }
  return parsed(order, operands);
}

function parsed(order: readonly [string, string][], operands: string[]): Parsed {
  const given = new Map<string, string[]>();
  for (const [key, value] of order) given.set(key, [...(given.get(key) ?? []), value]);
  return { given, operands, order, has: (name) => given.has(name), value: (name) => given.get(name)?.at(-1) };
}

function optionsOf(spec: readonly string[]): Map<string, Option> {
  const options = new Map<string, Option>();
  for (const entry of spec) {
    const takes = entry.endsWith("=") ? "value" : entry.endsWith("?") ? "optional" : "none";
    const names = entry.replace(/[=?]$/, "").split(",");
    for (const name of names) options.set(name, { key: names[0] ?? name, takes });
  }
  return options;
}

/** A long option may be cut short as long as it is no other's beginning too. */
function longOption(options: ReadonlyMap<string, Option>, name: string, code: number): Option {
  const exact = name.length > 1 ? options.get(name) : undefined;
  if (exact !== undefined) return exact;
  const near = [...options].filter(([key]) => key.length > 1 && key.startsWith(name));
  const keys = new Set(near.map(([, { key }]) => key));
  const only = near[0]?.[1];
  if (only === undefined || name === "") throw new Failure(`unrecognized option '--${name}'`, code);
  if (keys.size > 1) throw new Failure(`option '--${name}' is ambiguous`, code);
  return only;
}

const SUFFIXES: Readonly<Record<string, number>> = {
  b: 512,
  K: 1024,
  k: 1024,
  M: 1024 ** 2,
  G: 1024 ** 3,
  kB: 1000,
  KB: 1000,
  MB: 1e6,
  GB: 1e9,
};

/** A count with an optional suffix such as `K`. */
export function countOf(text: string, what: string, code = 1): number {
  const match = /^(\d+)([A-Za-z]*)$/.exec(text);
  const scale = match?.[2] === "" ? 1 : SUFFIXES[match?.[2] ?? "?"];
  if (match === null || scale === undefined) throw new Failure(`invalid ${what}: ‘${text}’`, code);
  return Number(match[1]) * scale;
}

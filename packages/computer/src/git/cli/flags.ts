/** The one parser of command lines: each verb says which options it has, in the notation of a usage text. */

import { CommandFailure } from "../git-error.ts";

/** An option: its name as handlers ask for it, and whether it takes a value. */
interface Flag {
  readonly key: string;
  readonly names: readonly string[];
  readonly value: "none" | "required" | "optional";
  readonly many: boolean;
}

/** A parsed command line. */
export class Args {
  readonly #values: ReadonlyMap<string, (string | boolean)[]>;
  /** What is no option, before `--`. */
  readonly words: readonly string[];
  /** What stands after `--`; undefined where there is none. */
  readonly after: readonly string[] | undefined;
  readonly #order: readonly string[];

  constructor(
    values: ReadonlyMap<string, (string | boolean)[]>,
    words: readonly string[],
    after: readonly string[] | undefined,
    order: readonly string[] = [],
  ) {
    this.#values = values;
    this.words = words;
    this.after = after;
    this.#order = order;
  }

  /** Which of these options is given last. */
  last(...keys: readonly string[]): string | undefined {
    return this.#order.findLast((key) => keys.includes(key));
  }

  /** Whether an option is given, and not taken back by its `--no-` form. */
  has(key: string): boolean {
    const last = this.#values.get(key)?.at(-1);
    return last !== undefined && last !== false;
  }

  /** `true` or `false` where the option or its `--no-` form is given last. */
  flag(key: string): boolean | undefined {
    const last = this.#values.get(key)?.at(-1);
    return last === undefined ? undefined : last !== false;
  }

  /** How often it is given. */
  count(key: string): number {
    return this.#values.get(key)?.filter((value) => value !== false).length ?? 0;
  }

  /** The value that is given last; undefined where there is none. */
  value(key: string): string | undefined {
    const last = this.#values.get(key)?.at(-1);
    return typeof last === "string" ? last : undefined;
  }

  /** Every value in order, those before a `--no-` form left out. */
  all(key: string): string[] {
    const values = this.#values.get(key) ?? [];
    return values.slice(values.lastIndexOf(false) + 1).filter((value) => typeof value === "string");
  }

  /** A whole number; `EUSAGE` where the value is none. */
  number(key: string): number | undefined {
    const text = this.value(key);
    if (text === undefined) return undefined;
    if (!/^-?\d+$/.test(text))
      throw new CommandFailure("EUSAGE", `error: option \`${key}' expects a numerical value`, 129);
    return Number(text);
  }

  /** All that is no option. */
  get everything(): string[] {
    return [...this.words, ...(this.after ?? [])];
  }
}

/**
 * Parses arguments by a specification such as `["-a --all", "-m --message <text>...", "-u --untracked-files[=<mode>]", "-<number>"]`. The key
 * of an option is the last of its names without dashes. Every long option has a `--no-` form.
 */
export function parseFlags(verb: string, usage: string, spec: readonly string[], argv: readonly string[]): Args {
  const flags = spec.map(flagOf);
  const byName = new Map(flags.flatMap((flag) => flag.names.map((name) => [name, flag] as const)));
  const values = new Map<string, (string | boolean)[]>();
  const words: string[] = [];
  const order: string[] = [];
  let after: string[] | undefined;
  const put = (flag: Flag, value: string | boolean): void => {
    order.push(flag.key);
    values.set(flag.key, [...(values.get(flag.key) ?? []), value]);
  };
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at]!;
    if (word === "--") {
      after = argv.slice(at + 1);
      break;
    }
    if (word === "-h" && !byName.has("-h")) throw new CommandFailure("EUSAGE", usageText(verb, usage), 129);
    if (word.startsWith("--")) {
      const equals = word.indexOf("=");
      const name = equals < 0 ? word : word.slice(0, equals);
      const found = longFlag(byName, name);
      if (found === undefined) throw unknown(verb, usage, `unknown option \`${word.slice(2)}'`);
      const { flag, negated } = found;
      if (negated) put(flag, false);
      else if (equals >= 0) {
        if (flag.value === "none") throw unknown(verb, usage, `option \`${flag.key}' takes no value`);
        put(flag, word.slice(equals + 1));
      } else if (flag.value === "required") {
        if (at + 1 >= argv.length) throw unknown(verb, usage, `option \`${flag.key}' requires a value`);
        put(flag, argv[++at]!);
      } else put(flag, true);
    } else if (word.startsWith("-") && word.length > 1) {
      const number = byName.get("-<number>");
      if (number !== undefined && /^-\d+$/.test(word)) put(number, word.slice(1));
      else at += shortFlags(verb, usage, byName, word, argv[at + 1], put);
    } else words.push(word);
  }
  return new Args(values, words, after, order);
}

/** Takes a word of short options; how many words more it took. */
function shortFlags(
  verb: string,
  usage: string,
  byName: ReadonlyMap<string, Flag>,
  word: string,
  next: string | undefined,
  put: (flag: Flag, value: string | boolean) => void,
): number {
  for (let i = 1; i < word.length; i++) {
    const flag = byName.get(`-${word[i]}`);
    if (flag === undefined) throw unknown(verb, usage, `unknown switch \`${word[i]}'`);
    const rest = word.slice(i + 1);
    if (flag.value === "none") put(flag, true);
    else if (rest !== "") {
      put(flag, rest);
      return 0;
    } else if (flag.value === "optional") put(flag, true);
    else if (next === undefined) throw unknown(verb, usage, `switch \`${word[i]}' requires a value`);
    else {
      put(flag, next);
      return 1;
    }
  }
  return 0;
}

function flagOf(text: string): Flag {
  const many = text.endsWith("...");
  const value = text.includes("[=") ? "optional" : text.includes(" <") ? "required" : "none";
  const names = text.replace(/\[=.*$| <.*$/, "").split(" ");
  return { names, value, many, key: names.at(-1)!.replace(/^-+/, "").replace(/[<>]/g, "") };
}

/** A long option by its name, its `--no-` form, or the beginning of its name that no other shares. */
function longFlag(byName: ReadonlyMap<string, Flag>, name: string): { flag: Flag; negated: boolean } | undefined {
  const exact = byName.get(name);
  if (exact !== undefined) return { flag: exact, negated: false };
  const negated = name.startsWith("--no-") ? byName.get(`--${name.slice(5)}`) : undefined;
  if (negated !== undefined) return { flag: negated, negated: true };
  // `--no-x` is turned back by `--x`.
  const positive = byName.get(`--no-${name.slice(2)}`);
  if (positive !== undefined) return { flag: positive, negated: true };
  const matching = [...byName.keys()].filter((known) => known.startsWith(name) && name.length > 3);
  const flags = new Set(matching.map((known) => byName.get(known)!));
  return flags.size === 1 ? { flag: [...flags][0]!, negated: false } : undefined;
}

function unknown(verb: string, usage: string, message: string): CommandFailure {
  return new CommandFailure("EUSAGE", `error: ${message}\n${usageText(verb, usage)}`, 129);
}

/** How a verb is used. */
export function usageText(verb: string, usage: string): string {
  return `${usage
    .split("\n")
    .map((line, i) => `${i === 0 ? "usage:" : "   or:"} git ${verb}${line === "" ? "" : ` ${line}`}`)
    .join("\n")}\n`;
}

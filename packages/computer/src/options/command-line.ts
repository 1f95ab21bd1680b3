/** The command lines of our own commands, whose every option has a long name. */

/** What a command line may have. */
export interface CommandLineForm {
  /** Options with a value: `--ttl 1h`, `--ttl=1h`. */
  readonly values?: readonly string[];
  /** Options without one. */
  readonly flags?: readonly string[];
  /** What its other words are called, in their order; one that ends with `?` may be left out. */
  readonly words: readonly string[];
}

export interface CommandLine {
  readonly words: readonly string[];
  readonly values: Readonly<Record<string, string>>;
  readonly flags: ReadonlySet<string>;
}

/** A command line that is not well-formed; told with exit code 129. */
export class UsageError extends Error {
  override readonly name: string = "UsageError";
}

/** Reads a command line; {@link UsageError} says what is wrong with it. */
export function commandLine(argv: readonly string[], { values = [], flags = [], words }: CommandLineForm): CommandLine {
  const found = { words: [] as string[], values: {} as Record<string, string>, flags: new Set<string>() };
  const left = [...argv];
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    if (word === "--") {
      found.words.push(...left.splice(0));
    } else if (!word.startsWith("-") || word === "-") {
      found.words.push(word);
    } else {
      const [, name = "", value] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
      if (flags.includes(name) && value === undefined) found.flags.add(name);
      else if (values.includes(name)) found.values[name] = value ?? left.shift() ?? missing(`--${name} needs a value`);
      else missing(flags.includes(name) ? `--${name} takes no value` : `there is no option ${word}`);
    }
  }
  const needed = words.filter((word) => !word.endsWith("?"));
  const first = needed[found.words.length];
  if (first !== undefined) missing(`${first} is missing`);
  const extra = found.words[words.length];
  if (extra !== undefined) missing(`there is one word too many: ${extra}`);
  return found;
}

function missing(what: string): never {
  throw new UsageError(what);
}

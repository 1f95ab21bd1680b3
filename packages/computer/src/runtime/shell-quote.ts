/** Shell commands out of templates, with everything that is interpolated quoted. */

/** Text that goes into a command as it is, e.g. `{ raw: "2>&1" }`. */
export interface RawShellValue {
  raw: string;
}

/** What a template takes: a word, a number, several words, or raw text. */
export type ShellValue = string | number | RawShellValue | readonly (string | number)[];

/** One word that a POSIX shell reads as exactly this text. A NUL byte, which no shell can take, is a `TypeError`. */
export function shellQuote(arg: string): string {
  if (arg.includes("\0"))
    throw new TypeError("A shell word cannot hold a NUL byte: write such data to a file or to stdin.");
  if (/^[\w@%+:,./-]+$/.test(arg)) return arg;
  return `'${arg.replaceAll("'", "'\\''")}'`;
}

/**
 * A command in which every interpolated value is one quoted word, an array one word an element, and `{ raw }` is left as it is.
 *
 * @example
 * sh`cp ${"my file.txt"} ${["a", "b c"]} ${{ raw: "2>&1" }}` // cp 'my file.txt' a 'b c' 2>&1
 */
export function sh(strings: TemplateStringsArray, ...values: ShellValue[]): string {
  return strings.map((text, index) => text + (index < values.length ? interpolated(values[index]) : "")).join("");
}

function interpolated(value: ShellValue | undefined): string {
  if (typeof value === "string" || typeof value === "number") return shellQuote(String(value));
  if (Array.isArray(value)) return value.map((word: string | number) => shellQuote(String(word))).join(" ");
  if (isRaw(value)) return value.raw;
  throw new TypeError(`A shell template takes strings, numbers, arrays of them and { raw }, not ${typeName(value)}.`);
}

function isRaw(value: unknown): value is RawShellValue {
  return typeof value === "object" && value !== null && "raw" in value && typeof value.raw === "string";
}

function typeName(value: unknown): string {
  return value === null ? "null" : typeof value;
}

/** Reads a pandoc command line as pandoc's own GetOpt does, with every option kept in its place. */

/** One word of a pandoc command line: an option with its value, or an input file. */
export interface PandocArgument {
  /** The option's full long name ("output"), or undefined for an input. */
  readonly option?: string;
  /** The option's value, or the input's path. */
  readonly value?: string;
  /** The words as they were given. */
  readonly words: readonly string[];
}

/** Long options that need a value; a test compares these lists with `pandoc --help`. */
export const VALUE_OPTIONS: readonly string[] = [
  ..."from read to write output data-dir metadata metadata-file defaults template variable variable-json".split(" "),
  ..."wrap toc-depth number-offset top-level-division extract-media resource-path".split(" "),
  ..."include-in-header include-before-body include-after-body highlight-style syntax-definition".split(" "),
  ..."syntax-highlighting dpi eol columns tab-stop pdf-engine pdf-engine-opt reference-doc request-header".split(" "),
  ..."abbreviations typst-input indented-code-classes default-image-extension filter lua-filter".split(" "),
  ..."shift-heading-level-by base-header-level track-changes reference-location figure-caption-position".split(" "),
  ..."table-caption-position markdown-headings slide-level email-obfuscation id-prefix title-prefix css".split(" "),
  ..."epub-subdirectory epub-cover-image epub-metadata epub-embed-font split-level chunk-template".split(" "),
  ..."epub-chapter-level ipynb-output bibliography csl citation-abbreviations log".split(" "),
  ..."print-default-template print-default-data-file print-highlight-style".split(" "),
];

/** Long options whose value is optional and can only be joined to them with `=`. */
export const OPTIONAL_VALUE_OPTIONS: readonly string[] = [
  ..."file-scope sandbox standalone ascii toc table-of-contents lof list-of-figures lot list-of-tables".split(" "),
  ..."number-sections preserve-tabs self-contained embed-resources link-images no-check-certificate".split(" "),
  ..."strip-comments reference-links list-tables listings incremental section-divs html-q-tags".split(" "),
  ..."epub-title-page webtex mathjax katex trace dump-args ignore-args fail-if-warnings list-extensions".split(" "),
];

/** Long options that take no value. */
export const FLAG_OPTIONS: readonly string[] = [
  ..."no-highlight citeproc natbib biblatex mathml gladtex verbose quiet bash-completion".split(" "),
  ..."list-input-formats list-output-formats list-highlight-languages list-highlight-styles version help".split(" "),
];

const SHORT: Readonly<Record<string, string>> = {
  f: "from",
  r: "read",
  t: "to",
  w: "write",
  o: "output",
  M: "metadata",
  d: "defaults",
  s: "standalone",
  V: "variable",
  N: "number-sections",
  H: "include-in-header",
  B: "include-before-body",
  A: "include-after-body",
  p: "preserve-tabs",
  F: "filter",
  L: "lua-filter",
  i: "incremental",
  T: "title-prefix",
  c: "css",
  C: "citeproc",
  D: "print-default-template",
  v: "version",
  h: "help",
};

const SAME: Readonly<Record<string, string>> = { read: "from", write: "to" };

const ALL = [...VALUE_OPTIONS, ...OPTIONAL_VALUE_OPTIONS, ...FLAG_OPTIONS];
const needsValue = new Set(VALUE_OPTIONS);
const mayHaveValue = new Set(OPTIONAL_VALUE_OPTIONS);

/** The long option that `name` names, itself or as an unambiguous beginning of one. */
function longOption(name: string): string | undefined {
  if (ALL.includes(name)) return name;
  const matches = ALL.filter((option) => option.startsWith(name));
  return matches.length === 1 ? matches[0] : undefined;
}

function argument(option: string, value: string | undefined, words: string[]): PandocArgument {
  const name = SAME[option] ?? option;
  return value === undefined ? { option: name, words } : { option: name, value, words };
}

function withNextWord(option: string, word: string, rest: string[]): PandocArgument {
  const value = rest.shift();
  return value === undefined ? argument(UNREADABLE, undefined, [word]) : argument(option, value, [word, value]);
}

/** The option name of a word that cannot be placed: an unknown option, or one without its value. */
export const UNREADABLE = "?";

/** The arguments in their order. One that cannot be read is there as `UNREADABLE`, for pandoc to refuse in its own words. */
export function parsePandocArguments(argv: readonly string[]): PandocArgument[] {
  const found: PandocArgument[] = [];
  const rest = [...argv];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "--") {
      for (const value of rest.splice(0)) found.push({ value, words: [value] });
    } else if (word.startsWith("--")) {
      const equals = word.indexOf("=");
      const option = longOption(equals < 0 ? word.slice(2) : word.slice(2, equals));
      const joined = equals < 0 ? undefined : word.slice(equals + 1);
      if (option === undefined) found.push(argument(UNREADABLE, undefined, [word]));
      else if (joined === undefined && needsValue.has(option)) found.push(withNextWord(option, word, rest));
      else found.push(argument(option, joined, [word]));
    } else if (word.startsWith("-") && word !== "-") {
      readShorts(word, rest, found);
    } else found.push({ value: word, words: [word] });
  }
  return found;
}

function readShorts(word: string, rest: string[], found: PandocArgument[]): void {
  for (let at = 1; at < word.length; at++) {
    const letter = word.charAt(at);
    const option = SHORT[letter];
    const joined = word.slice(at + 1);
    if (option === undefined) found.push(argument(UNREADABLE, undefined, [`-${letter}`]));
    else if (needsValue.has(option)) {
      if (joined === "") found.push(withNextWord(option, `-${letter}`, rest));
      else found.push(argument(option, joined, [`-${letter}${joined}`]));
      return;
    } else if (mayHaveValue.has(option)) {
      found.push(argument(option, joined === "" ? undefined : joined, [`-${letter}${joined}`]));
      return;
    } else found.push(argument(option, undefined, [`-${letter}`]));
  }
}

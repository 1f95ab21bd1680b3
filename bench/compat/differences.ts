/** Where the two systems do not do the same, and why. */

export interface Difference {
  readonly steps: readonly string[];
  /** Said in docs/compatibility.md. */
  readonly why: string;
}

/** By program. */
export const differences: Readonly<Record<string, readonly Difference[]>> = {
  files: [
    {
      steps: ["overwrite keeps the mode"],
      why: "an overwrite keeps the mode, as on Linux; 0.8.0 sets it back to 0644.",
    },
  ],
  search: [
    { steps: ["find src/[ab].*"], why: "a class in brackets is a class; 0.8.0 finds nothing." },
    {
      steps: ["grep", "grep, a page"],
      why: "binary files are not searched, as GNU grep prints none of their lines; 0.8.0 gives them as text.",
    },
    {
      steps: ["grep, either case", "grep with an expression", "grep with context"],
      why: "lines that end in CR LF come without the CR (and binary files not at all).",
    },
    {
      steps: ["grep with a broken expression", "grep with a look-behind"],
      why: "expressions are RE2's, in linear time: what RE2 lacks is `EINVAL`, which names it. 0.8.0 takes JavaScript's, whose time has no bound.",
    },
  ],
  exec: [
    {
      steps: ["the result of a run resumed at 0"],
      why: "a handle that was resumed part of the way gives the result of that part; 0.8.0 reads the run again from its beginning. Its events are the same.",
    },
    {
      steps: [
        "a run that ends with 130 by itself",
        "a run that ends with 137 by itself",
        "a run that ends with 143 by itself",
      ],
      why: "`cancelled` is a run that somebody killed or that was out of time; 0.8.0 goes by the exit code, and has a program that ends itself with one of a signal's for cancelled.",
    },
  ],
  codecs: [
    {
      steps: ["what is no event"],
      why: "a line that is no event is a `ComputerError` with the code `EPROTOCOL`; 0.8.0 throws what `JSON.parse` does.",
    },
    { steps: ["quoted words"], why: "`a=b` is quoted, since at the beginning of a command it would be an assignment." },
  ],
  errors: [
    { steps: ["read below a file"], why: "`ENOTDIR`, as Linux says it; 0.8.0 says `ENOENT`." },
    { steps: ["a slash after a file"], why: "a trailing slash asks for a directory: `ENOTDIR`; 0.8.0 reads the file." },
    {
      steps: ["a name of 256 bytes"],
      why: "`ENAMETOOLONG`, since no Linux computer could have the file; 0.8.0 takes it.",
    },
    {
      steps: ["a backend that there is not", "stream and result both", "two backends of one id"],
      why: "a `ComputerError` with the code `EOPTION`; 0.8.0 throws an `Error` without a code.",
    },
  ],
};

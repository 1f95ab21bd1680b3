/** Options of users are checked before anything happens; a misspelled one is named with the one that was meant. */

import { ComputerError } from "@cloudflare/computer-rpc";
import { z } from "zod";

/** Throws `EOPTION` where `options` are not what `schema` says. `owner` is what takes them, e.g. `runtime.exec`. */
export function checkOptions(schema: z.ZodObject, options: unknown, owner: string): void {
  const result = schema.safeParse(options);
  if (result.success) return;
  const known = Object.keys(schema.shape);
  throw new ComputerError("EOPTION", result.error.issues.map((issue) => describe(issue, known, owner)).join(" "));
}

function describe(issue: z.core.$ZodIssue, known: readonly string[], owner: string): string {
  if (issue.code === "unrecognized_keys" && issue.path.length === 0) {
    return issue.keys.map((key) => unknownOption(key, known, owner)).join(" ");
  }
  const name = issue.path.join(".");
  return name === ""
    ? `${owner} takes an object of options: ${issue.message}.`
    : `The option ${name} of ${owner} is wrong: ${issue.message}.`;
}

function unknownOption(key: string, known: readonly string[], owner: string): string {
  const near = nearest(key, known);
  const hint = near === undefined ? `It takes ${known.join(", ")}.` : `Did you mean ${near}?`;
  return `${owner} has no option ${key}. ${hint}`;
}

/** The known word that is fewest edits away, if it is close enough to be a misspelling. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of known) {
    const edits = distance(word.toLowerCase(), candidate.toLowerCase());
    if (edits < least) [best, least] = [candidate, edits];
  }
  return best;
}

/** Levenshtein's distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substituted, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** A field that must be a function. */
export function functionOption(): z.ZodType {
  return z.custom((value) => typeof value === "function", { error: "it must be a function" });
}

/** A field that must be an object with these methods. */
export function objectWith(...methods: readonly string[]): z.ZodType {
  return z.custom(
    (value) =>
      (typeof value === "object" || typeof value === "function") &&
      value !== null &&
      methods.every((method) => typeof Reflect.get(value, method) === "function"),
    { error: `it must be an object with ${methods.join(" and ")}` },
  );
}

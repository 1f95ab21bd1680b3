/** Options of users are checked before anything happens; a misspelled one is named with the one that was meant. */

import { ComputerError } from "@cloudflare/computer-rpc";
import { nearest } from "@cloudflare/dofs";
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

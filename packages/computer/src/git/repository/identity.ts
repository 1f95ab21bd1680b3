/** Who commits, and when. */

import { CommandFailure, MissingIdentityError } from "../git-error.ts";
import type { Person } from "../objects/commit.ts";
import type { Config } from "./config.ts";
import { parseDate } from "./date.ts";

export interface GitIdentity {
  name: string;
  email: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface IdentitySources {
  readonly env: Environment;
  readonly config: Config;
  readonly fallback: GitIdentity | undefined;
  /** Milliseconds since 1970. */
  now(): number;
}

/** The author or the committer: what is given, then the environment, the configuration, and the default. `EIDENTITY` where none says. */
export function personOf(role: "author" | "committer", sources: IdentitySources, given?: GitIdentity): Person {
  const { env, config, fallback, now } = sources;
  const prefix = `GIT_${role.toUpperCase()}`;
  const name =
    given?.name ??
    nonEmpty(env[`${prefix}_NAME`]) ??
    config.get(`${role}.name`) ??
    config.get("user.name") ??
    fallback?.name;
  const email =
    given?.email ??
    nonEmpty(env[`${prefix}_EMAIL`]) ??
    config.get(`${role}.email`) ??
    config.get("user.email") ??
    nonEmpty(env.EMAIL) ??
    fallback?.email;
  if (name === undefined || email === undefined) throw new MissingIdentityError();
  const clean = { name: cleaned(name), email: cleaned(email) };
  if (clean.name === "")
    throw new CommandFailure("EIDENTITY", `fatal: empty ident name (for <${clean.email}>) not allowed`);
  const seconds = Math.floor(now() / 1000);
  const date = nonEmpty(env[`${prefix}_DATE`]);
  const parsed = date === undefined ? undefined : parseDate(date, seconds);
  if (date !== undefined && parsed === undefined)
    throw new CommandFailure("EDATE", `fatal: invalid date format: ${date}`);
  return { ...clean, timestamp: parsed?.timestamp ?? seconds, zone: parsed?.zone ?? "+0000" };
}

/** As git takes a name: nothing that would end it early, and no dots, commas and quotes around it. */
function cleaned(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: git strips control characters too
  return text.replace(/[<>\n]/g, "").replace(/^[\u0000-\u0020.,:;<>"\\']+|[\u0000-\u0020.,:;<>"\\']+$/g, "");
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === undefined || text === "" ? undefined : text;
}

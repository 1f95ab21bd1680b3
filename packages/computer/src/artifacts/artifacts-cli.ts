/** The command `artifacts`: JSON on stdout, what went wrong on stderr. */

import { type CommandLine, type CommandLineForm, commandLine, UsageError } from "../options/command-line.ts";
import { secondsOf } from "../options/duration.ts";
import type {
  ArtifactClient,
  ArtifactScope,
  ArtifactsCLIInput,
  ArtifactsCLIResult,
  RemoteAddFn,
} from "./artifact-client.ts";
import { ArtifactError } from "./artifact-error.ts";

interface Verb {
  readonly form: CommandLineForm;
  readonly about: string;
  /** What is printed; with a `url` that can be made a git remote of. */
  run(client: ArtifactClient, line: CommandLine): Promise<object>;
}

const USAGE = 129;
/** Seconds that a token of `share` works where the command line does not say. */
const SHARED_FOR = 86_400;
const create: Verb = {
  form: {
    words: ["NAME"],
    values: ["description", "default-branch", "remote"],
    flags: ["read-only", "force"],
  },
  about: "makes a repository, and with --remote a git remote for it",
  run: async (client, line) => {
    const name = word(line, 0);
    const { description, "default-branch": setDefaultBranch } = line.values;
    const made = await client.create(name, { readOnly: readOnlyOf(line), description, setDefaultBranch });
    return { ...made, url: withToken(made.remote, made.token) };
  },
};

const VERBS: Readonly<Record<string, Verb>> = {
  create,
  share: {
    form: { words: ["NAME"], values: ["scope", "ttl", "remote"], flags: ["force"] },
    about: "gives an address that git can clone from (or push to, with --scope=write) until its token expires",
    run: async (client, line) => {
      const name = word(line, 0);
      const [scope, ttl] = [scopeOf(line) ?? "read", ttlOf(line) ?? SHARED_FOR];
      const { remote } = await client.get(name);
      const { id, plaintext, expiresAt } = await client.createToken(name, scope, ttl);
      const url = withToken(remote, plaintext);
      return { name, remote, scope, token: plaintext, tokenId: id, expiresAt, url };
    },
  },
  "repo create": create,
  "repo get": {
    form: { words: ["NAME"] },
    about: "tells of a repository",
    run: (client, line) => client.get(word(line, 0)),
  },
  "repo list": { form: { words: [] }, about: "tells of all repositories", run: (client) => client.list() },
  "repo import": {
    form: { words: ["NAME", "URL"], values: ["branch", "depth", "description"], flags: ["read-only"] },
    about: "makes a repository of another one's history",
    run: (client, line) => {
      const { branch, depth, description } = line.values;
      if (depth !== undefined && !/^[1-9]\d{0,8}$/.test(depth)) {
        throw new UsageError(`--depth takes a number of commits, not ${depth}`);
      }
      return client.import(
        word(line, 0),
        { url: word(line, 1), branch, depth: depth === undefined ? undefined : Number(depth) },
        { description, readOnly: readOnlyOf(line) },
      );
    },
  },
  "repo delete": {
    form: { words: ["NAME"] },
    about: "removes a repository with all its tokens",
    run: async (client, line) => {
      const name = word(line, 0);
      if (!(await client.delete(name))) throw new ArtifactError("NOT_FOUND", `There is no repository ${name}.`);
      return { name, deleted: true };
    },
  },
  "token create": {
    form: { words: ["NAME"], values: ["scope", "ttl"] },
    about: "makes a token of a repository",
    run: (client, line) => client.createToken(word(line, 0), scopeOf(line), ttlOf(line)),
  },
  "token list": {
    form: { words: ["NAME"] },
    about: "tells of the tokens of a repository",
    run: (client, line) => client.listTokens(word(line, 0)),
  },
  "token get": {
    form: { words: ["NAME", "ID"] },
    about: "tells of one token",
    run: (client, line) => client.getToken(word(line, 0), word(line, 1)),
  },
  "token revoke": {
    form: { words: ["NAME", "TOKEN-OR-ID"] },
    about: "ends a token",
    run: async (client, line) => {
      const [name, token] = [word(line, 0), word(line, 1)];
      if (!(await client.revokeToken(name, token))) {
        throw new ArtifactError("NOT_FOUND", `The repository ${name} has no such token that still works.`);
      }
      return { name, revoked: true };
    },
  },
};

/** Runs a command line of `artifacts`; nothing of it throws. */
export async function runArtifactsCLI(
  client: ArtifactClient,
  input: ArtifactsCLIInput,
  bindingConfigured: boolean = true,
): Promise<ArtifactsCLIResult> {
  const [first = "", second = ""] = input.argv;
  if (["help", "--help", "-h"].includes(first)) return { stdout: usage(), stderr: "", exitCode: 0 };
  const name = Object.hasOwn(VERBS, first) ? first : `${first} ${second}`;
  try {
    const verb = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined;
    if (verb === undefined) {
      throw new UsageError(first === "" ? "a command is missing" : `there is no command ${name.trim()}`);
    }
    const line = commandLine(input.argv.slice(name.split(" ").length), verb.form);
    if (!bindingConfigured) {
      throw new ArtifactError(
        "NOT_CONFIGURED",
        "this workspace has no artifacts: give it artifacts: { binding: env.ARTIFACTS }",
      );
    }
    const { remote } = line.values;
    if (remote !== undefined && input.remoteAdd === undefined) {
      throw new ArtifactError("NOT_CONFIGURED", "there is no git here that --remote could tell of the repository");
    }
    const said = await verb.run(client, line);
    const refused = await addRemote(said, line, input.remoteAdd);
    const stdout = `${JSON.stringify(said, null, 2)}\n`;
    return {
      stdout,
      stderr: refused === undefined ? "" : `artifacts: ${refused}\n`,
      exitCode: refused === undefined ? 0 : 1,
    };
  } catch (error) {
    if (error instanceof UsageError) {
      return { stdout: "", stderr: `artifacts: ${error.message}\n${usage(name)}`, exitCode: USAGE };
    }
    return { stdout: "", stderr: `artifacts: ${error instanceof Error ? error.message : error}\n`, exitCode: 1 };
  }
}

/** Why a remote that was asked for was not made. */
async function addRemote(
  said: object,
  { values: { remote: name }, flags }: CommandLine,
  remoteAdd: RemoteAddFn | undefined,
): Promise<string | undefined> {
  if (name === undefined || remoteAdd === undefined || !("url" in said)) return undefined;
  const { ok, exists, message } = await remoteAdd({ name, url: String(said.url), force: flags.has("force") });
  if (ok) return undefined;
  if (exists === true) return `the git remote ${name} is there already; --force puts this one in its place`;
  return `the git remote ${name} was not made: ${message ?? "git did not say why"}`;
}

/** The address with a token that git sends along. */
function withToken(remote: string, token: string): string {
  const url = new URL(remote);
  url.username = "x";
  // What comes after the secret only says when it expires.
  url.password = token.split("?", 1)[0] ?? "";
  return url.href;
}

function word(line: CommandLine, index: number): string {
  return line.words[index] ?? "";
}

function readOnlyOf({ flags }: CommandLine): boolean | undefined {
  return flags.has("read-only") || undefined;
}

function scopeOf({ values: { scope } }: CommandLine): ArtifactScope | undefined {
  if (scope === undefined || scope === "read" || scope === "write") return scope;
  throw new UsageError(`--scope takes read or write, not ${scope}`);
}

function ttlOf({ values: { ttl } }: CommandLine): number | undefined {
  if (ttl === undefined) return undefined;
  return secondsOf(ttl) ?? notDuration(ttl);
}

function notDuration(ttl: string): never {
  throw new UsageError(`--ttl takes seconds, or a duration such as 30s, 5m, 2h30m or 1d, not ${JSON.stringify(ttl)}`);
}

/** How a command is written, or all of them. */
function usage(name?: string): string {
  const verbs = Object.entries(VERBS).filter(
    ([verb]) => name === undefined || !Object.hasOwn(VERBS, name) || verb === name,
  );
  const lines = verbs.map(([verb, { form, about }]) => {
    const options = [
      ...(form.values ?? []).map((value) => `[--${value}=…]`),
      ...(form.flags ?? []).map((flag) => `[--${flag}]`),
    ];
    return `  artifacts ${[verb, ...form.words, ...options].join(" ")}\n      ${about}`;
  });
  return `usage:\n${lines.join("\n")}\n`;
}

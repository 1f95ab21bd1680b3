/** `git fetch`. */

import type { Command, CommandContext } from "../cli/command.ts";
import type { Args } from "../cli/flags.ts";
import { fatal, GitError } from "../git-error.ts";
import { ALL_DEPTH, type FetchReport, fetchInto, fetchText } from "../remote/fetch-into.ts";
import type { AuthCallback, MessageCallback, ProgressCallback } from "../remote/network.ts";
import { remoteAt, type Session } from "../remote/session.ts";
import { shortName } from "../repository/ref-name.ts";
import type { Repository } from "../repository/repository.ts";
import { remoteUrl } from "./remote.ts";

export interface GitFetchOptions {
  dir?: string | undefined;
  /** Default the current branch's, then `origin`. */
  remote?: string | undefined;
  url?: string | undefined;
  /** A branch of the remote's; all of them where none is given. */
  ref?: string | undefined;
  remoteRef?: string | undefined;
  depth?: number | undefined;
  singleBranch?: boolean | undefined;
  tags?: boolean | undefined;
  /** Removes branches here that the remote no longer has. */
  prune?: boolean | undefined;
  headers?: Record<string, string> | undefined;
  onAuth?: AuthCallback | undefined;
  onProgress?: ProgressCallback | undefined;
  onMessage?: MessageCallback | undefined;
}

export interface FetchResult {
  /** In full, such as `refs/heads/main`. */
  defaultBranch: string | null;
  fetchHead: string | null;
}

/** Takes over what a remote has. `EAUTH`, `ENETWORK`, `EREF`. */
export async function fetch(session: Session, options: GitFetchOptions): Promise<FetchResult> {
  const { name, url, configured, base, branch } = session.step(() =>
    sourceOf(session.open(), options.remote ?? options.url),
  );
  const remote = remoteAt(session, options.url ?? url, base);
  const only = options.remoteRef ?? options.ref ?? (options.singleBranch ? branch : undefined);
  const report = await fetchInto(session, remote, {
    name,
    configured,
    refspecs: only === undefined ? configured : [only],
    depth: options.depth,
    tags: options.tags === true ? "all" : options.tags === false ? "none" : "follow",
    prune: options.prune === true,
    force: false,
    message: `fetch ${name ?? url}`,
  });
  if (report.rejected) throw new GitError("EREJECTED", fetchText(remote.url, report));
  return { defaultBranch: report.advertisement.head ?? null, fetchHead: report.first ?? null };
}

export interface FetchSource {
  readonly name: string | undefined;
  readonly url: string;
  readonly configured: readonly string[];
  readonly base: string;
  /** The current branch's name. */
  readonly branch: string | undefined;
}

/** Where a fetch without a remote, or with this one, goes. */
export function sourceOf(repository: Repository, given: string | undefined): FetchSource {
  const { config, refs } = repository;
  const branch = refs.branch === undefined ? undefined : shortName(refs.branch);
  const remotes = config.subsections("remote");
  const own = branch === undefined ? undefined : config.get(`branch.${branch}.remote`);
  const chosen = given ?? own ?? (remotes.includes("origin") || remotes.length !== 1 ? "origin" : remotes[0]!);
  const isNamed = remotes.includes(chosen);
  const configured = isNamed ? config.all(`remote.${chosen}.fetch`) : [];
  return {
    name: isNamed ? chosen : undefined,
    url: remoteUrl(repository, chosen),
    configured,
    base: repository.place.workTree ?? repository.gitDir,
    branch,
  };
}

export const FETCH_FLAGS: readonly string[] = [
  "-v --verbose",
  "-q --quiet",
  "-a --append",
  "-f --force",
  "-t --tags",
  "-n --no-tags",
  "-p --prune",
  "-P --prune-tags",
  "--depth <n>",
  "--deepen <n>",
  "--unshallow",
  "--shallow-since <date>",
  "--update-shallow",
  "--dry-run",
  "-k --keep",
  "-u --update-head-ok",
  "--progress",
  "--all",
  "-j --jobs <n>",
  "--write-fetch-head",
  "--recurse-submodules[=<when>]",
  "-4 --ipv4",
  "-6 --ipv6",
  "--set-upstream",
  "--auto-gc",
];

export const fetchCommand: Command = {
  usage: "[<options>] [<repository> [<refspec>...]]",
  flags: FETCH_FLAGS,
  async runAsync(context, args) {
    const session = sessionOf(context);
    const [given, ...refspecs] = args.everything;
    const names = args.has("all") ? session.step(() => session.open().config.subsections("remote")) : [given];
    for (const name of names) {
      const { report, url } = await fetchFor(context, args, name, refspecs, "fetch");
      if (!args.has("quiet")) context.err(fetchText(url, report, { verbose: args.has("verbose") }));
      if (report.rejected) return 1;
    }
  },
};

export function sessionOf(context: CommandContext): Session {
  return {
    network: context.network,
    surroundings: context.surroundings,
    step: context.step,
    open: () => context.reopen(),
  };
}

/** Fetches as the options of a command line say. */
export async function fetchFor(
  context: CommandContext,
  args: Args,
  given: string | undefined,
  refspecs: readonly string[],
  verb: string,
  merge?: readonly string[],
): Promise<{ report: FetchReport; url: string; source: FetchSource }> {
  const session = sessionOf(context);
  for (const flag of ["deepen", "shallow-since", "append", "prune-tags"])
    if (args.has(flag)) throw fatal(`unsupported: git ${verb} --${flag}`, "EUNSUPPORTED");
  const source = session.step(() => sourceOf(session.open(), given));
  const remote = remoteAt(session, source.url, context.cwd);
  const depth = args.has("unshallow") ? ALL_DEPTH : args.number("depth");
  if (args.has("unshallow") && session.step(() => session.open().objects.shallow.size === 0))
    throw fatal("--unshallow on a complete repository does not make sense");
  if (depth !== undefined && depth <= 0) throw fatal(`depth ${depth} is not a positive number`);
  const { config } = context.repository;
  const wanted = refspecs.length > 0 ? refspecs : source.configured.length > 0 ? source.configured : ["HEAD"];
  const mergeRefs = merge ?? mergeRefsOf(context.repository, source, refspecs);
  const extra =
    refspecs.length > 0 ? [] : (mergeRefs ?? []).filter((ref) => source.configured.length === 0 && ref !== "HEAD");
  const report = await fetchInto(session, remote, {
    name: source.name,
    configured: source.configured,
    refspecs: [...wanted, ...extra],
    depth,
    tags:
      args.has("tags") && !args.has("no-tags")
        ? "all"
        : args.has("no-tags") || args.flag("tags") === false
          ? "none"
          : "follow",
    prune: args.flag("prune") ?? config.flag("fetch.prune") ?? false,
    force: args.has("force"),
    message: [verb, ...args.everything].join(" "),
    dryRun: args.has("dry-run"),
    ...(refspecs.length > 0 ? {} : { merge: mergeRefs ?? [] }),
  });
  return { report, url: remote.url, source };
}

/** The branches that the current one is set to take over. */
function mergeRefsOf(
  { config, refs }: Repository,
  source: FetchSource,
  refspecs: readonly string[],
): readonly string[] | undefined {
  if (refspecs.length > 0 || refs.branch === undefined) return undefined;
  const branch = shortName(refs.branch);
  if (config.get(`branch.${branch}.remote`) !== source.name) return source.configured.length === 0 ? ["HEAD"] : [];
  return config.all(`branch.${branch}.merge`);
}

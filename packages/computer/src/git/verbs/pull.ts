/** `git pull`. */

import type { Command } from "../cli/command.ts";
import type { Args } from "../cli/flags.ts";
import { CommandFailure, fatal, GitError } from "../git-error.ts";
import { isAncestor } from "../history/ancestry.ts";
import { intoText, type MergeRequest, mergeIn } from "../merge/merge-in.ts";
import { mergeHeads, unmerged } from "../merge/merge-state.ts";
import { fetchInto, fetchText } from "../remote/fetch-into.ts";
import type { AuthCallback, MessageCallback, ProgressCallback } from "../remote/network.ts";
import { remoteAt, type Session } from "../remote/session.ts";
import { shortName } from "../repository/ref-name.ts";
import type { Repository } from "../repository/repository.ts";
import { FETCH_FLAGS, fetchFor, sessionOf, sourceOf } from "./fetch.ts";
import { tellForwarding, tellMerge } from "./merge.ts";

export interface GitPullOptions {
  dir?: string | undefined;
  remote?: string | undefined;
  url?: string | undefined;
  ref?: string | undefined;
  remoteRef?: string | undefined;
  fastForward?: boolean | undefined;
  fastForwardOnly?: boolean | undefined;
  singleBranch?: boolean | undefined;
  headers?: Record<string, string> | undefined;
  onAuth?: AuthCallback | undefined;
  onProgress?: ProgressCallback | undefined;
  onMessage?: MessageCallback | undefined;
  author?: { name: string; email: string } | undefined;
  committer?: { name: string; email: string } | undefined;
  env?: Record<string, string> | undefined;
}

/** Fetches, and merges the branch that the current one follows. A conflict is `ECONFLICT`, its files left with markers. */
export async function pull(session: Session, options: GitPullOptions): Promise<void> {
  const { source, merge } = session.step(() => {
    const repository = session.open();
    const found = sourceOf(repository, options.remote ?? options.url);
    return { source: found, merge: options.remoteRef ?? options.ref ?? followed(repository) ?? found.branch };
  });
  if (merge === undefined) throw fatal("You are not currently on a branch.", "EDETACHED");
  const remote = remoteAt(session, options.url ?? source.url, source.base);
  const report = await fetchInto(session, remote, {
    name: source.name,
    configured: source.configured,
    refspecs: options.singleBranch || source.configured.length === 0 ? [merge] : [merge, ...source.configured],
    tags: "follow",
    prune: false,
    force: false,
    message: "pull",
  });
  const [target] = report.forMerge;
  if (target === undefined) throw fatal(`couldn't find remote ref ${merge}`, "EREF");
  const outcome = session.step(() => {
    const repository = session.open();
    const result = mergeIn(repository, target.oid, {
      name: target.oid,
      message: pullMessage(repository, target.ref, remote.url),
      fastForward: options.fastForwardOnly ? "only" : options.fastForward === false ? "no" : "yes",
      author: options.author,
      committer: options.committer,
      log: "pull",
    });
    repository.save();
    return result;
  });
  if (outcome.kind === "conflict") {
    throw new GitError(
      "ECONFLICT",
      `Automatic merge failed; fix conflicts and then commit the result.\n${outcome.messages.join("\n")}`,
    );
  }
}

function followed({ config, refs }: Repository): string | undefined {
  return refs.branch === undefined ? undefined : config.get(`branch.${shortName(refs.branch)}.merge`);
}

function pullMessage(repository: Repository, ref: string, url: string): string {
  const kind = ref === "HEAD" ? "" : `${ref.startsWith("refs/tags/") ? "tag" : "branch"} '${shortName(ref)}' of `;
  return `Merge ${kind}${url.replace(/\.git$/, "")}${intoText(repository)}\n`;
}

export const pullCommand: Command = {
  usage: "[<options>] [<repository> [<refspec>...]]",
  flags: [
    ...FETCH_FLAGS,
    "-r --rebase[=<mode>]",
    "--stat",
    "--no-stat",
    "--log[=<n>]",
    "--squash",
    "--commit",
    "--edit",
    "--ff",
    "--ff-only",
    "-s --strategy <strategy>",
    "-X --strategy-option <option>...",
    "--allow-unrelated-histories",
    "--autostash",
    "--signoff",
    "-m --message <message>...",
    "--no-verify",
  ],
  async runAsync(context, args) {
    const { repository } = context;
    if (repository.index.hasConflicts) throw unmerged(repository.index.conflicts, "Pulling");
    if (mergeHeads(repository).length > 0)
      throw fatal(
        "You have not concluded your merge (MERGE_HEAD exists).\nPlease, commit your changes before you merge.",
        "EMERGING",
      );
    const [given, ...refspecs] = args.everything;
    const { report, url } = await fetchFor(context, args, given, refspecs, "pull");
    if (!args.has("quiet")) context.err(fetchText(url, report));
    if (report.rejected) return 1;
    if (report.forMerge.length === 0) throw nothingToMerge(context.repository);
    if (report.forMerge.length > 1) throw fatal("unsupported: pulling more than one branch at once", "EUNSUPPORTED");
    const [{ oid, ref }] = report.forMerge as [{ oid: string; ref: string }];
    const session = sessionOf(context);
    return session.step(() => {
      const opened = session.open();
      const planned = requestOf(args, opened, { oid, message: pullMessage(opened, ref, url) });
      const request = { ...planned, forwarding: tellForwarding(context, args) };
      const code = tellMerge(context, args, mergeIn(opened, oid, request));
      opened.save();
      return code;
    });
  },
};

function requestOf(
  args: Args,
  repository: Repository,
  { oid, message }: { oid: string; message: string },
): MergeRequest {
  const { config, refs, objects } = repository;
  const branch = refs.branch === undefined ? "" : shortName(refs.branch);
  const rebase =
    args.flag("rebase") ??
    ["true", "merges", "interactive"].includes(
      config.get(`branch.${branch}.rebase`) ?? config.get("pull.rebase") ?? "false",
    );
  const setting = config.get("pull.ff");
  const forward =
    args.has("ff-only") || (setting === "only" && args.flag("ff") === undefined)
      ? "only"
      : args.flag("ff") === false || setting === "false"
        ? "no"
        : "yes";
  const { head } = refs;
  const diverged = head !== undefined && !isAncestor(objects, head, oid) && !isAncestor(objects, oid, head);
  if (diverged && rebase)
    throw fatal("unsupported: git pull --rebase of branches that have diverged; use --no-rebase", "EUNSUPPORTED");
  const decided =
    args.flag("rebase") !== undefined ||
    config.get("pull.rebase") !== undefined ||
    config.get(`branch.${branch}.rebase`) !== undefined ||
    args.flag("ff") !== undefined ||
    setting !== undefined ||
    args.has("ff-only") ||
    args.has("squash");
  if (diverged && !decided)
    throw new CommandFailure("EDIVERGED", `${DIVERGED}fatal: Need to specify how to reconcile divergent branches.`);
  return {
    name: oid,
    message: args.all("message").length > 0 ? args.all("message").join("\n\n") : message,
    fastForward: forward,
    log: ["pull", ...args.everything].join(" "),
    commit: args.flag("commit"),
    squash: args.has("squash"),
    unrelated: args.has("allow-unrelated-histories"),
    favour: args.all("strategy-option").find((option) => option === "ours" || option === "theirs") as
      | "ours"
      | "theirs"
      | undefined,
  };
}

const DIVERGED = `hint: You have divergent branches and need to specify how to reconcile them.
hint: You can do so by running one of the following commands sometime before
hint: your next pull:
hint: 
hint:   git config pull.rebase false  # merge
hint:   git config pull.rebase true   # rebase
hint:   git config pull.ff only       # fast-forward only
hint: 
hint: You can replace "git config" with "git config --global" to set a default
hint: preference for all repositories. You can also pass --rebase, --no-rebase,
hint: or --ff-only on the command line to override the configured default per
hint: invocation.
`;

function nothingToMerge(repository: Repository): CommandFailure {
  const { branch } = repository.refs;
  if (branch === undefined) {
    return new CommandFailure(
      "EDETACHED",
      "You are not currently on a branch.\nPlease specify which branch you want to merge with.\nSee git-pull(1) for details.\n\n    git pull <remote> <branch>\n",
      1,
    );
  }
  return new CommandFailure(
    "EUPSTREAM",
    `There is no tracking information for the current branch.\nPlease specify which branch you want to merge with.\nSee git-pull(1) for details.\n\n    git pull <remote> <branch>\n\nIf you wish to set tracking information for this branch you can do so with:\n\n    git branch --set-upstream-to=origin/<branch> ${shortName(branch)}\n`,
    1,
  );
}

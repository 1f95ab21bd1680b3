/** `git switch`: another branch. */

import type { Command, CommandContext } from "../cli/command.ts";
import { CommandFailure, fatal } from "../git-error.ts";
import { isAncestor } from "../history/ancestry.ts";
import { subjectOf } from "../objects/commit.ts";
import { peel, readCommit } from "../objects/read-objects.ts";
import { isBranchName, shortName } from "../repository/ref-name.ts";
import type { Repository } from "../repository/repository.ts";
import { abbreviate, commitOf, headTree, previousBranch, resolveRevision } from "../repository/rev-parse.ts";
import { statusOf } from "../worktree/status.ts";
import { resetToTree, switchTree } from "../worktree/switch-tree.ts";
import { trackingOf, trackingText } from "../worktree/tracking.ts";

export interface GoOptions {
  readonly force?: boolean | undefined;
  readonly detach?: boolean | undefined;
  /** A branch that is made and gone to. */
  readonly create?: string | undefined;
  /** The branch may be there already. */
  readonly reset?: boolean | undefined;
  /** A branch without a history. */
  readonly orphan?: string | undefined;
  readonly track?: boolean | undefined;
  /** Who is told. */
  readonly say?: CommandContext | undefined;
}

/** Goes to a branch or a commit. */
export function goTo(repository: Repository, given: string | undefined, options: GoOptions = {}): void {
  const { refs, objects } = repository;
  const { create, orphan, say } = options;
  const before = refs.branch;
  const from = refs.head;
  const target = given === "-" ? (previousBranch(repository, 1) ?? "-") : (given ?? "HEAD");
  if (create !== undefined) checkNew(repository, create, options.reset === true);
  if (orphan !== undefined) {
    checkNew(repository, orphan, false);
    if (given !== undefined)
      switchTree(repository, headTree(repository), peel(objects, commitOf(repository, target), "tree"));
    refs.setSymbolic("HEAD", `refs/heads/${orphan}`);
    say?.err(`Switched to a new branch '${orphan}'\n`);
    return;
  }
  if (from === undefined && given === undefined && create !== undefined) {
    refs.setSymbolic("HEAD", `refs/heads/${create}`);
    say?.err(`Switched to a new branch '${create}'\n`);
    return;
  }
  const branch = `refs/heads/${target}`;
  const isBranch = create === undefined && options.detach !== true && refs.resolve(branch) !== undefined;
  if (create === undefined && before === branch && from === undefined) return;
  const oid = resolveRevision(repository, target) ?? undefined;
  if (oid === undefined)
    throw new CommandFailure(
      "EREVISION",
      create === undefined
        ? `error: pathspec '${target}' did not match any file(s) known to git`
        : `fatal: '${target}' is not a commit and a branch '${create}' cannot be created from it`,
      create === undefined ? 1 : 128,
    );
  const commit = peel(objects, oid, "commit");
  if (!(create !== undefined && commit === from) || options.force) move(repository, commit, options.force === true);
  const changes = (): string =>
    say === undefined || options.force ? "" : kept(repository, (path) => say.quoted(path));
  const name = from === undefined ? "" : before === undefined ? from : shortName(before);
  if (create !== undefined) {
    const existed = refs.resolve(`refs/heads/${create}`) !== undefined;
    createBranch(repository, create, { start: target, force: options.reset, track: options.track });
    refs.setSymbolic("HEAD", `refs/heads/${create}`, `checkout: moving from ${name} to ${create}`);
    if (given !== undefined) say?.out(changes());
    const same = before === `refs/heads/${create}`;
    const reset = options.reset === true && existed;
    say?.err(
      same && reset
        ? `Reset branch '${create}'\n`
        : reset
          ? `Switched to and reset branch '${create}'\n`
          : `Switched to a new branch '${create}'\n`,
    );
    if (say !== undefined && options.track !== false) tellTracking(repository, create, say, target);
    return;
  }
  if (before === undefined && from !== undefined && say !== undefined && from !== commit)
    tellLeft(repository, from, commit, say);
  if (isBranch) {
    refs.setSymbolic("HEAD", branch, `checkout: moving from ${name} to ${target}`);
    say?.out(changes());
    say?.err(before === branch ? `Already on '${target}'\n` : `Switched to branch '${target}'\n`);
    say?.out(trackingText(trackingOf(repository, branch)));
    return;
  }
  refs.detach(commit, `checkout: moving from ${name} to ${given === undefined ? "HEAD" : target}`);
  if (say === undefined) return;
  say.out(changes());
  const where = `HEAD is now at ${abbreviate(repository, commit)} ${subjectOf(readCommit(objects, commit).message)}\n`;
  const advice =
    before !== undefined && options.detach !== true && repository.config.flag("advice.detachedhead") !== false;
  say.err(advice ? `${detachedAdvice(target)}${where}` : where);
}

function move(repository: Repository, commit: string, force: boolean): void {
  const { tree } = readCommit(repository.objects, commit);
  if (force) resetToTree(repository, tree, { files: true });
  else switchTree(repository, headTree(repository), tree);
}

/** Local changes that were taken along. */
function kept(repository: Repository, quoted: (path: string) => string): string {
  const { items } = statusOf(repository, { untracked: "no", renames: false });
  return items
    .map(({ path, staged, work }) => `${work === "D" ? "D" : staged !== " " ? staged : work}\t${quoted(path)}\n`)
    .join("");
}

function checkNew(repository: Repository, name: string, mayExist: boolean): void {
  if (!isBranchName(name)) throw fatal(`'${name}' is not a valid branch name`, "EREF");
  if (!mayExist && repository.refs.resolve(`refs/heads/${name}`) !== undefined)
    throw fatal(`a branch named '${name}' already exists`, "EEXIST");
}

export interface BranchStart {
  readonly start?: string | undefined;
  readonly force?: boolean | undefined;
  readonly track?: boolean | undefined;
}

/** Makes a branch; one that starts at a remote's follows it. `EREF`, `EEXIST`, `EREVISION`. */
export function createBranch(
  repository: Repository,
  name: string,
  { start, force = false, track }: BranchStart = {},
): void {
  checkNew(repository, name, force);
  const { refs } = repository;
  const existed = refs.resolve(`refs/heads/${name}`) !== undefined;
  const from = start ?? "HEAD";
  const oid = resolveRevision(repository, from);
  if (oid === undefined) {
    if (start === undefined) throw fatal(`not a valid object name: '${shortName(refs.branch ?? "HEAD")}'`, "EUNBORN");
    throw fatal(`not a valid object name: '${from}'`, "EREVISION");
  }
  const commit = peel(repository.objects, oid, "commit");
  refs.update(
    `refs/heads/${name}`,
    commit,
    `branch: ${existed ? "Reset to" : "Created from"} ${start === undefined ? (refs.branch === undefined ? "HEAD" : shortName(refs.branch)) : from}`,
  );
  const remote = remoteOf(repository, from);
  if (remote !== undefined && track !== false) setUpstream(repository, name, remote);
  else if (track === true && refs.resolve(`refs/heads/${from}`) !== undefined)
    setUpstream(repository, name, { remote: ".", merge: `refs/heads/${from}` });
}

/** The remote branch that a revision such as `origin/main` is. */
export function remoteOf(repository: Repository, text: string): { remote: string; merge: string } | undefined {
  const full = ["", "refs/remotes/", "refs/"]
    .map((prefix) => prefix + text)
    .find((name) => name.startsWith("refs/remotes/") && repository.refs.resolve(name) !== undefined);
  if (full === undefined || repository.refs.symbolic(full) !== undefined) return undefined;
  const remote = repository.config.subsections("remote").find((name) => full.startsWith(`refs/remotes/${name}/`));
  return remote === undefined
    ? undefined
    : { remote, merge: `refs/heads/${full.slice(`refs/remotes/${remote}/`.length)}` };
}

export function setUpstream(
  repository: Repository,
  branch: string,
  { remote, merge }: { remote: string; merge: string },
): void {
  repository.config.change("local", (file) => {
    file.set(`branch.${branch}.remote`, remote);
    file.set(`branch.${branch}.merge`, merge);
  });
}

/** The one remote branch of this name, where just one remote has it. */
export function remoteBranch(repository: Repository, name: string): string | undefined {
  const found = repository.config
    .subsections("remote")
    .filter((remote) => repository.refs.resolve(`refs/remotes/${remote}/${name}`) !== undefined);
  return found.length === 1 ? `${found[0]}/${name}` : undefined;
}

function tellTracking(repository: Repository, branch: string, say: CommandContext, start: string): void {
  if (remoteOf(repository, start) !== undefined) say.out(`branch '${branch}' set up to track '${start}'.\n`);
}

/** Says of commits that no branch leads to where they are. */
function tellLeft(repository: Repository, from: string, to: string, say: CommandContext): void {
  const { refs, objects } = repository;
  const tips = [...refs.list().map(({ oid }) => oid), to].filter((oid) => objects.read(oid).type === "commit");
  if (tips.some((tip) => isAncestor(objects, from, tip))) {
    say.err(
      `Previous HEAD position was ${abbreviate(repository, from)} ${subjectOf(readCommit(objects, from).message)}\n`,
    );
    return;
  }
  const lost: string[] = [];
  for (
    let at: string | undefined = from;
    at !== undefined && !tips.some((tip) => isAncestor(objects, at!, tip));
    at = readCommit(objects, at).parents[0]
  )
    lost.push(at);
  const shown = lost
    .slice(0, 4)
    .map((oid) => `  ${abbreviate(repository, oid)} ${subjectOf(readCommit(objects, oid).message)}\n`);
  const more = lost.length > 4 ? ` ... and ${lost.length - 4} more.\n` : "";
  const [it, them] = lost.length === 1 ? ["1 commit", "it"] : [`${lost.length} commits`, "them"];
  say.err(
    `Warning: you are leaving ${it} behind, not connected to\nany of your branches:\n\n${shown.join("")}${more}\nIf you want to keep ${them} by creating a new branch, this may be a good time\nto do so with:\n\n git branch <new-branch-name> ${abbreviate(repository, from)}\n\n`,
  );
}

function detachedAdvice(target: string): string {
  return `Note: switching to '${target}'.

You are in 'detached HEAD' state. You can look around, make experimental
changes and commit them, and you can discard any commits you make in this
state without impacting any branches by switching back to a branch.

If you want to create a new branch to retain commits you create, you may
do so (now or later) by using -c with the switch command. Example:

  git switch -c <new-branch-name>

Or undo this operation with:

  git switch -

Turn off this advice by setting config variable advice.detachedHead to false

`;
}

export const switchCommand: Command = {
  usage: "[<options>] [<branch>]",
  flags: [
    "-q --quiet",
    "-c --create <branch>",
    "-C --force-create <branch>",
    "-d --detach",
    "-t --track[=<mode>]",
    "-f --force",
    "--discard-changes",
    "--orphan <branch>",
    "--guess",
    "-m --merge",
    "--progress",
  ],
  run(context, args) {
    const { repository } = context;
    const [name, ...more] = args.everything;
    const create = args.value("create") ?? args.value("force-create");
    if (more.length > 0) throw fatal("only one reference expected");
    const force = args.has("force") || args.has("discard-changes");
    if (repository.state("MERGE_HEAD") !== undefined && !force) {
      throw fatal('cannot switch branch while merging\nConsider "git merge --quit" or "git worktree add".', "EMERGING");
    }
    const options = {
      force,
      detach: args.has("detach"),
      reset: args.has("force-create"),
      orphan: args.value("orphan"),
      track: args.flag("track"),
      say: args.has("quiet") ? undefined : context,
    };
    if (create !== undefined || args.has("orphan")) return goTo(repository, name, { ...options, create });
    if (name === undefined) throw fatal("missing branch or commit argument");
    const isBranch =
      name === "-" ||
      repository.refs.resolve(`refs/heads/${name}`) !== undefined ||
      repository.refs.branch === `refs/heads/${name}`;
    if (args.has("detach") && name !== "-" && resolveRevision(repository, name) === undefined)
      throw fatal(`invalid reference: ${name}`, "EREVISION");
    if (name === "-" && previousBranch(repository, 1) === undefined)
      throw fatal("invalid reference: @{-1}", "EREVISION");
    if (isBranch || args.has("detach")) return goTo(repository, name, options);
    const remote = args.flag("guess") === false ? undefined : remoteBranch(repository, name);
    if (remote !== undefined) return goTo(repository, remote, { ...options, create: name, track: true });
    if (resolveRevision(repository, name) === undefined) throw fatal(`invalid reference: ${name}`, "EREVISION");
    const kind =
      repository.refs.resolve(`refs/tags/${name}`) !== undefined
        ? "tag"
        : repository.refs.resolve(`refs/remotes/${name}`) !== undefined
          ? "remote branch"
          : "commit";
    throw fatal(
      `a branch is expected, got ${kind} '${name}'\nhint: If you want to detach HEAD at the commit, try again with the --detach option.`,
      "EREVISION",
    );
  },
};

/** `git push`. */

import type { Command, CommandContext } from "../cli/command.ts";
import type { Args } from "../cli/flags.ts";
import { failed, fatal } from "../git-error.ts";
import { isAncestor } from "../history/ancestry.ts";
import { NULL_OID } from "../objects/object-id.ts";
import type { AuthCallback, MessageCallback, ProgressCallback } from "../remote/network.ts";
import { newObjects } from "../remote/new-objects.ts";
import { parseRefspec, remoteRef } from "../remote/refspec.ts";
import type { Advertisement, PushAnswer, PushCommand, Remote } from "../remote/remote.ts";
import { remoteAt, type Session } from "../remote/session.ts";
import { isRefName, shortName } from "../repository/ref-name.ts";
import type { Repository } from "../repository/repository.ts";
import { abbreviate, fullRef, resolveRevision, trackingRef } from "../repository/rev-parse.ts";
import { sessionOf, sourceOf } from "./fetch.ts";
import { setUpstream } from "./switch.ts";

export interface GitPushOptions {
  dir?: string | undefined;
  remote?: string | undefined;
  url?: string | undefined;
  /** Default the current branch. */
  ref?: string | undefined;
  /** Default the same name. */
  remoteRef?: string | undefined;
  force?: boolean | undefined;
  /** Removes the remote's branch. */
  delete?: boolean | undefined;
  headers?: Record<string, string> | undefined;
  onAuth?: AuthCallback | undefined;
  onProgress?: ProgressCallback | undefined;
  onMessage?: MessageCallback | undefined;
}

export interface RefUpdateStatus {
  ok: boolean;
  error?: string | undefined;
}

export interface PushResult {
  ok: boolean;
  error: string | null;
  /** By the remote's full name of each reference. */
  refs: Record<string, RefUpdateStatus>;
}

/** Gives a remote what it lacks. A reference that the remote refuses, or that others have moved, is told in the result. `EAUTH`, `ENETWORK`. */
export async function push(session: Session, options: GitPushOptions): Promise<PushResult> {
  const { source, refspec } = session.step(() => {
    const repository = session.open();
    const found = sourceOf(repository, options.remote ?? options.url);
    const name = options.ref ?? found.branch;
    if (name === undefined) throw fatal("You are not currently on a branch.", "EDETACHED");
    const target = options.remoteRef ?? name;
    return { source: found, refspec: options.delete ? `:${target}` : `${options.force ? "+" : ""}${name}:${target}` };
  });
  const remote = remoteAt(session, options.url ?? source.url, source.base);
  const { updates, answer } = await pushTo(session, remote, {
    refspecs: [refspec],
    force: options.force === true,
    name: source.name,
  });
  const refs: Record<string, RefUpdateStatus> = {};
  for (const { to, refused } of updates)
    refs[to] = refused === undefined ? { ok: true } : { ok: false, error: refused };
  const bad = updates.find(({ refused }) => refused !== undefined);
  const error = answer?.unpack ?? (bad === undefined ? null : `${shortName(bad.to)}: ${bad.refused}`);
  return { ok: error === null, error, refs };
}

interface Update {
  readonly from: string;
  /** The remote's reference, in full. */
  readonly to: string;
  readonly oid: string;
  readonly before: string;
  readonly forced: boolean;
  /** Why it was not done; undefined where it was, or needs not be. */
  refused?: string | undefined;
  /** The remote itself refused. */
  remotely?: boolean | undefined;
}

interface PushPlan {
  readonly refspecs: readonly string[];
  readonly force: boolean;
  readonly name: string | undefined;
  readonly dryRun?: boolean | undefined;
  readonly atomic?: boolean | undefined;
  /** A reference is only forced where the remote has what was last seen of it. */
  readonly lease?: boolean | undefined;
}

async function pushTo(
  session: Session,
  remote: Remote,
  plan: PushPlan,
): Promise<{ updates: Update[]; answer: PushAnswer | undefined }> {
  const theirs = await remote.refs("git-receive-pack");
  const updates = session.step(() => plan.refspecs.map((text) => updateFor(session.open(), theirs, text, plan)));
  const wanted = updates.filter(({ refused, oid, before }) => refused === undefined && oid !== before);
  if (plan.atomic && updates.some(({ refused }) => refused !== undefined)) {
    for (const update of wanted) update.refused = "atomic push failed";
    return { updates, answer: undefined };
  }
  if (wanted.length === 0 || plan.dryRun) return { updates, answer: undefined };
  const repository = session.open();
  const oids = session.step(() =>
    newObjects(
      repository.objects,
      wanted.filter(({ oid }) => oid !== NULL_OID).map(({ oid }) => oid),
      [...theirs.refs.values()],
    ),
  );
  const commands = wanted.map(({ before, oid, to }): PushCommand => ({ from: before, to: oid, ref: to }));
  const answer = await remote.push(commands, repository, oids);
  for (const update of wanted) {
    const told = answer.refs.get(update.to);
    update.refused =
      answer.unpack === undefined
        ? answer.refs.has(update.to)
          ? told
          : "the remote said nothing of it"
        : (told ?? "unpacker error");
    update.remotely = update.refused !== undefined;
  }
  session.step(() => {
    const opened = session.open();
    const specs = plan.name === undefined ? [] : opened.config.all(`remote.${plan.name}.fetch`);
    for (const { to, oid, refused } of wanted) {
      const tracking = refused === undefined ? trackingRef(specs, to) : undefined;
      if (tracking === undefined) continue;
      if (oid === NULL_OID) opened.refs.delete(tracking);
      else opened.refs.update(tracking, oid, "update by push", { noDeref: true });
    }
    opened.save();
  });
  return { updates, answer };
}

function updateFor(repository: Repository, theirs: Advertisement, text: string, plan: PushPlan): Update {
  const spec = parseRefspec(text);
  const { objects } = repository;
  const force = spec.force || plan.force;
  const deletes = spec.source === "";
  const full = deletes ? undefined : fullRef(repository, spec.source);
  const oid = deletes ? NULL_OID : resolveRevision(repository, spec.source);
  if (oid === undefined) throw failed(`src refspec ${spec.source} does not match any`, 1, "EREF");
  const to = targetOf(
    theirs,
    spec.target ?? (full === "HEAD" ? (repository.refs.branch ?? "HEAD") : (full ?? spec.source)),
    full,
  );
  const before = theirs.refs.get(to) ?? NULL_OID;
  const update: Update = { from: full ?? spec.source, to, oid, before, forced: false };
  if (deletes) return before === NULL_OID ? { ...update, refused: "remote ref does not exist" } : update;
  if (before === NULL_OID || before === oid) return update;
  const lease =
    plan.lease && plan.name !== undefined
      ? trackingRef(repository.config.all(`remote.${plan.name}.fetch`), to)
      : undefined;
  if (plan.lease && (lease === undefined || repository.refs.resolve(lease) !== before))
    return { ...update, refused: "stale info" };
  const forward = objects.has(before) && to.startsWith("refs/heads/") && isAncestor(objects, before, oid);
  if (forward) return update;
  if (force || plan.lease) return { ...update, forced: true };
  if (to.startsWith("refs/tags/")) return { ...update, refused: "already exists" };
  return { ...update, refused: objects.has(before) ? "non-fast-forward" : "fetch first" };
}

function targetOf(theirs: Advertisement, target: string, source: string | undefined): string {
  if (target.startsWith("refs/")) return target;
  const there = remoteRef(theirs.refs, target);
  if (there !== undefined && there !== "HEAD") return there;
  const full = `refs/${source?.startsWith("refs/tags/") ? "tags" : "heads"}/${target}`;
  if (!isRefName(full)) throw fatal(`invalid refspec '${target}'`, "EREF");
  return full;
}

export const pushCommand: Command = {
  usage: "[<options>] [<repository> [<refspec>...]]",
  flags: [
    "-v --verbose",
    "-q --quiet",
    "--all",
    "--mirror",
    "-d --delete",
    "--tags",
    "--follow-tags",
    "-n --dry-run",
    "--porcelain",
    "-f --force",
    "--force-with-lease[=<refname>]",
    "--force-if-includes",
    "-u --set-upstream",
    "--progress",
    "--prune",
    "--no-verify",
    "--atomic",
    "-o --push-option <option>...",
    "--thin",
    "--signed[=<when>]",
    "-4 --ipv4",
    "-6 --ipv6",
    "--repo <repository>",
    "--recurse-submodules[=<when>]",
  ],
  async runAsync(context, args) {
    for (const flag of ["mirror", "porcelain", "prune", "follow-tags", "push-option"])
      if (args.has(flag)) throw fatal(`unsupported: git push --${flag}`, "EUNSUPPORTED");
    const session = sessionOf(context);
    const [given = args.value("repo"), ...words] = args.everything;
    const { source, refspecs } = session.step(() => {
      const repository = session.open();
      const found = sourceOf(repository, given ?? pushRemote(repository));
      return { source: found, refspecs: refspecsOf(repository, args, words, found.name) };
    });
    const url = session.step(() =>
      source.name === undefined
        ? source.url
        : (session.open().config.get(`remote.${source.name}.pushurl`) ?? source.url),
    );
    const remote = remoteAt(session, url, context.cwd);
    const { updates, answer } = await pushTo(session, remote, {
      refspecs,
      name: source.name,
      force: args.has("force"),
      dryRun: args.has("dry-run"),
      atomic: args.has("atomic"),
      lease: args.has("force-with-lease"),
    });
    return session.step(() => tell(context, args, { updates, answer, url: remote.url, name: source.name }));
  },
};

function pushRemote({ config, refs }: Repository): string | undefined {
  const branch = refs.branch === undefined ? undefined : shortName(refs.branch);
  return (
    (branch === undefined ? undefined : config.get(`branch.${branch}.pushremote`)) ?? config.get("remote.pushdefault")
  );
}

/** What is pushed: what is named, or by `push.default` the current branch. */
function refspecsOf(
  repository: Repository,
  args: Args,
  words: readonly string[],
  remote: string | undefined,
): string[] {
  const { refs, config } = repository;
  if (args.has("delete")) {
    if (words.length === 0) throw fatal("--delete doesn't make sense without any refs");
    return words.map((word) => `:${word}`);
  }
  const tags = args.has("tags") ? refs.list("refs/tags/").map(({ name }) => `${name}:${name}`) : [];
  if (args.has("all")) return [...refs.list("refs/heads/").map(({ name }) => `${name}:${name}`), ...tags];
  if (words.length > 0) {
    const joined: string[] = [];
    for (let i = 0; i < words.length; i++)
      joined.push(words[i] === "tag" && words[i + 1] !== undefined ? `refs/tags/${words[++i]}` : words[i]!);
    return [...joined, ...tags];
  }
  if (tags.length > 0) return tags;
  const configured = remote === undefined ? [] : config.all(`remote.${remote}.push`);
  if (configured.length > 0) return [...configured];
  if (refs.branch === undefined)
    throw fatal(
      "You are not currently on a branch.\nTo push the history leading to the current (detached HEAD)\nstate now, use\n\n    git push origin HEAD:<name-of-remote-branch>\n",
      "EDETACHED",
    );
  const branch = shortName(refs.branch);
  const mode = config.get("push.default") ?? "simple";
  if (mode === "nothing")
    throw fatal('You didn\'t specify any refspecs to push, and push.default is "nothing".', "EUPSTREAM");
  if (mode === "current" || mode === "matching") return [`${refs.branch}:${refs.branch}`];
  const upstream = config.get(`branch.${branch}.merge`);
  const own = config.get(`branch.${branch}.remote`);
  if (mode === "simple" && own !== undefined && own !== remote) return [`${refs.branch}:${refs.branch}`];
  if (upstream === undefined || own === undefined) {
    if (config.flag("push.autosetupremote")) return [`${refs.branch}:${refs.branch}`];
    throw fatal(
      `The current branch ${branch} has no upstream branch.\nTo push the current branch and set the remote as upstream, use\n\n    git push --set-upstream ${remote ?? "origin"} ${branch}\n\nTo have this happen automatically for branches without a tracking\nupstream, see 'push.autoSetupRemote' in 'git help config'.\n`,
      "EUPSTREAM",
    );
  }
  if (mode === "simple" && upstream !== refs.branch) {
    throw fatal(
      `The upstream branch of your current branch does not match\nthe name of your current branch.  To push to the upstream branch\non the remote, use\n\n    git push ${remote} HEAD:${shortName(upstream)}\n`,
      "EUPSTREAM",
    );
  }
  return [`${refs.branch}:${upstream}`];
}

interface Told {
  readonly updates: readonly Update[];
  readonly answer: PushAnswer | undefined;
  readonly url: string;
  readonly name: string | undefined;
}

function tell(context: CommandContext, args: Args, { updates, answer, url, name }: Told): number {
  const repository = context.reopen();
  const quiet = args.has("quiet");
  if (answer !== undefined && answer.messages !== "" && !quiet)
    context.err(answer.messages.replaceAll(/^(?=.)/gm, "remote: "));
  const refused = updates.filter((update) => update.refused !== undefined);
  const told = updates.filter((update) => update.refused !== undefined || update.oid !== update.before);
  if (told.length === 0) {
    if (!quiet) context.err("Everything up-to-date\n");
  } else if (!quiet || refused.length > 0) {
    context.err(
      `To ${url}\n${told
        .filter((update) => !quiet || update.refused !== undefined)
        .map((update) => updateLine(repository, update))
        .join("")}`,
    );
  }
  if (refused.length > 0) {
    context.err(`error: failed to push some refs to '${url}'\n${hintFor(refused)}`);
    return 1;
  }
  if (args.has("set-upstream") && name !== undefined) {
    for (const { from, to } of updates) {
      const branch = from === "HEAD" ? repository.refs.branch : from;
      if (!branch?.startsWith("refs/heads/") || !to.startsWith("refs/heads/")) continue;
      setUpstream(repository, shortName(branch), { remote: name, merge: to });
      if (!quiet) context.line(`branch '${shortName(branch)}' set up to track '${name}/${shortName(to)}'.`);
    }
  }
  return 0;
}

function updateLine(repository: Repository, { from, to, oid, before, forced, refused, remotely }: Update): string {
  const names = oid === NULL_OID ? shortName(to) : `${shortName(from)} -> ${shortName(to)}`;
  const line = (flag: string, summary: string, tail = ""): string => ` ${flag} ${summary.padEnd(17)} ${names}${tail}\n`;
  if (refused !== undefined) return line("!", remotely ? "[remote rejected]" : "[rejected]", ` (${refused})`);
  if (oid === NULL_OID) return line("-", "[deleted]");
  if (before === NULL_OID)
    return line(
      "*",
      to.startsWith("refs/tags/") ? "[new tag]" : to.startsWith("refs/heads/") ? "[new branch]" : "[new reference]",
    );
  const dots = (between: string): string => `${abbreviate(repository, before)}${between}${abbreviate(repository, oid)}`;
  return forced ? line("+", dots("..."), " (forced update)") : line(" ", dots(".."));
}

function hintFor(refused: readonly Update[]): string {
  const reasons = refused.map((update) => update.refused);
  if (reasons.includes("non-fast-forward")) {
    return "hint: Updates were rejected because the tip of your current branch is behind\nhint: its remote counterpart. Integrate the remote changes (e.g.\nhint: 'git pull ...') before pushing again.\nhint: See the 'Note about fast-forwards' in 'git push --help' for details.\n";
  }
  if (reasons.includes("fetch first")) {
    return "hint: Updates were rejected because the remote contains work that you do\nhint: not have locally. This is usually caused by another repository pushing\nhint: to the same ref. You may want to first integrate the remote changes\nhint: (e.g., 'git pull ...') before pushing again.\nhint: See the 'Note about fast-forwards' in 'git push --help' for details.\n";
  }
  if (reasons.includes("already exists"))
    return "hint: Updates were rejected because the tag already exists in the remote.\n";
  return "";
}

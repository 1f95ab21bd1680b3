/** `git clone`. */

import { absolutePath } from "../../files/absolute-path.ts";
import type { Command } from "../cli/command.ts";
import { fatal } from "../git-error.ts";
import { Pathspec, pathspecOf } from "../ignore/pathspec.ts";
import { indexEntry } from "../index-file/index-entry.ts";
import { rememberTrees } from "../index-file/write-tree.ts";
import { flattenTree, peel, peelTags, readCommit } from "../objects/read-objects.ts";
import type { MessageCallback, ProgressCallback } from "../remote/network.ts";
import type { Advertisement, FetchAnswer } from "../remote/remote.ts";
import { remoteAt, type Session } from "../remote/session.ts";
import { shortName } from "../repository/ref-name.ts";
import { Repository, type Surroundings } from "../repository/repository.ts";
import { writeWorkFile } from "../worktree/work-file.ts";
import { sessionOf } from "./fetch.ts";
import { init } from "./init.ts";
import { setUpstream } from "./switch.ts";

export interface GitCloneOptions {
  url: string;
  /** Default `/workspace`. */
  dir?: string | undefined;
  /** The branch or tag that is checked out; the remote's own where none is given. */
  ref?: string | undefined;
  /** Only these paths are checked out. */
  paths?: string[] | undefined;
  depth?: number | undefined;
  singleBranch?: boolean | undefined;
  noTags?: boolean | undefined;
  headers?: Record<string, string> | undefined;
  /** Requests go to this address with the one meant behind it. */
  corsProxy?: string | undefined;
  onProgress?: ProgressCallback | undefined;
  onMessage?: MessageCallback | undefined;
}

interface ClonePlan {
  readonly url: string;
  readonly dir: string;
  readonly ref?: string | undefined;
  readonly paths?: readonly string[] | undefined;
  readonly depth?: number | undefined;
  readonly singleBranch: boolean;
  readonly tags: boolean;
  readonly bare?: boolean | undefined;
  readonly checkout: boolean;
  readonly origin: string;
  readonly base: string;
  readonly settings?: readonly string[] | undefined;
}

/** Clones a repository, or, where anything fails, makes nothing. `EEXIST` for a directory that is not empty, `EAUTH`, `ENETWORK`, `EREF`. */
export async function clone(session: Session, options: GitCloneOptions & { dir: string }): Promise<void> {
  await cloneTo(session, {
    url: options.url,
    dir: options.dir,
    ref: options.ref,
    paths: options.paths,
    depth: options.depth,
    singleBranch: options.singleBranch ?? options.depth !== undefined,
    tags: options.noTags !== true,
    checkout: true,
    origin: "origin",
    base: options.dir,
  });
}

/** Clones; whether the remote had anything. */
async function cloneTo(session: Session, plan: ClonePlan): Promise<boolean> {
  const { dir, url } = plan;
  session.step(() => refuseFull(session.surroundings, dir));
  const remote = remoteAt(session, url, plan.base);
  const theirs = await remote.refs("git-upload-pack");
  const chosen = branchOf(theirs, plan);
  const wanted = [...theirs.refs].filter(([name]) => isWanted(name, chosen, plan));
  const oids = [...new Set([...wanted.map(([, oid]) => oid), ...(chosen?.oid === undefined ? [] : [chosen.oid])])];
  const answer =
    oids.length === 0
      ? undefined
      : await remote.fetch({ wants: oids, haves: [], shallow: [], depth: plan.depth, includeTags: plan.tags });
  session.step(() => {
    session.surroundings.files.forget();
    refuseFull(session.surroundings, dir);
    build(session.surroundings, plan, theirs, { chosen, wanted, answer, address: remote.url });
  });
  return oids.length > 0;
}

function refuseFull({ files }: Surroundings, dir: string): void {
  const attr = files.stat(dir);
  if (attr !== undefined && (attr.kind !== "dir" || files.names(dir).length > 0)) {
    throw fatal(`destination path '${dir}' already exists and is not an empty directory.`, "EEXIST");
  }
}

interface Chosen {
  /** In full; undefined for a detached HEAD. */
  readonly ref: string | undefined;
  readonly oid: string | undefined;
}

function branchOf({ refs, head }: Advertisement, { ref }: ClonePlan): Chosen | undefined {
  if (ref !== undefined) {
    const full = [`refs/heads/${ref}`, `refs/tags/${ref}`, ref].find((name) => refs.has(name));
    if (full === undefined) throw fatal(`Remote branch ${ref} not found in upstream origin`, "EREF");
    return { ref: full, oid: refs.get(full) };
  }
  if (head !== undefined && refs.has(head)) return { ref: head, oid: refs.get(head) };
  const detached = refs.get("HEAD");
  return detached === undefined
    ? head === undefined
      ? undefined
      : { ref: head, oid: undefined }
    : { ref: undefined, oid: detached };
}

function isWanted(name: string, chosen: Chosen | undefined, { singleBranch, tags }: ClonePlan): boolean {
  if (name.startsWith("refs/heads/")) return !singleBranch || name === chosen?.ref;
  if (name.startsWith("refs/tags/")) return (tags && !singleBranch) || name === chosen?.ref;
  return false;
}

interface Fetched {
  readonly chosen: Chosen | undefined;
  readonly wanted: readonly (readonly [string, string])[];
  readonly answer: FetchAnswer | undefined;
  readonly address: string;
}

function build(
  surroundings: Surroundings,
  plan: ClonePlan,
  theirs: Advertisement,
  { chosen, wanted, answer, address }: Fetched,
): void {
  const branch = chosen?.ref?.startsWith("refs/heads/")
    ? shortName(chosen.ref)
    : theirs.head?.startsWith("refs/heads/")
      ? shortName(theirs.head)
      : undefined;
  const repository = init(surroundings, { dir: plan.dir, bare: plan.bare, defaultBranch: branch });
  const { objects, refs } = repository;
  const { origin } = plan;
  const prefix = plan.bare ? "refs/heads/" : `refs/remotes/${origin}/`;
  const only =
    plan.singleBranch && branch !== undefined ? `+refs/heads/${branch}:${prefix}${branch}` : `+refs/heads/*:${prefix}*`;
  repository.config.change("local", (file) => {
    for (const setting of plan.settings ?? [])
      file.set(setting.slice(0, setting.indexOf("=")), setting.slice(setting.indexOf("=") + 1));
    file.set(
      `remote.${origin}.url`,
      plan.url.startsWith("/") || /^[a-z]+:\/\//i.test(plan.url) ? plan.url : absolutePath(plan.base, plan.url),
    );
    if (!plan.bare) file.set(`remote.${origin}.fetch`, only);
    if (!plan.tags) file.set(`remote.${origin}.tagOpt`, "--no-tags");
  });
  answer?.install(repository);
  if (answer !== undefined && answer.shallow.length > 0) objects.setShallow(new Set(answer.shallow));
  const kept = wanted.map(([name, oid]) => ({
    name: name.startsWith("refs/heads/") ? prefix + shortName(name) : name,
    oid,
    peeled: theirs.peeled.get(name),
  }));
  if (plan.tags && plan.singleBranch) {
    for (const [name, oid] of theirs.refs)
      if (name.startsWith("refs/tags/") && objects.has(oid) && objects.has(theirs.peeled.get(name) ?? oid))
        kept.push({ name, oid, peeled: theirs.peeled.get(name) });
  }
  if (kept.length > 0) refs.writePackedList(kept);
  if (chosen?.oid === undefined) {
    if (branch !== undefined && !plan.bare)
      setUpstream(repository, branch, { remote: origin, merge: `refs/heads/${branch}` });
    repository.save();
    return;
  }
  const message = `clone: from ${address}`;
  const commit = peel(objects, peelTags(objects, chosen.oid), "commit");
  if (!plan.bare && theirs.head?.startsWith("refs/heads/") && (!plan.singleBranch || theirs.head === chosen.ref))
    refs.setSymbolic(`refs/remotes/${origin}/HEAD`, `${prefix}${shortName(theirs.head)}`);
  if (chosen.ref?.startsWith("refs/heads/")) {
    refs.setSymbolic("HEAD", chosen.ref);
    if (!plan.bare) {
      refs.update("HEAD", commit, message);
      setUpstream(repository, shortName(chosen.ref), { remote: origin, merge: chosen.ref });
    }
  } else refs.detach(commit, message);
  if (!plan.bare && plan.checkout) checkOut(repository, readCommit(objects, commit).tree, plan);
  repository.save();
}

/** Writes the files of a tree into an empty directory. */
function checkOut(repository: Repository, tree: string, { paths = [], dir }: ClonePlan): void {
  const pathspec = paths.length === 0 ? new Pathspec([]) : pathspecOf(paths, dir, repository.workTree);
  const { index, objects } = repository;
  for (const [path, { mode, oid }] of flattenTree(objects, tree)) {
    if (pathspec.matches(path)) index.set(writeWorkFile(repository, path, mode, oid, { fresh: true }));
    else index.set({ ...indexEntry(path, mode, oid), skipWorktree: true });
  }
  rememberTrees(objects, index, tree);
}

export const cloneCommand: Command = {
  usage: "[<options>] [--] <repo> [<dir>]",
  flags: [
    "-v --verbose",
    "-q --quiet",
    "--progress",
    "-n --no-checkout",
    "--bare",
    "--mirror",
    "-l --local",
    "--no-hardlinks",
    "-s --shared",
    "-o --origin <name>",
    "-b --branch <branch>",
    "--depth <n>",
    "--single-branch",
    "--no-tags",
    "--tags",
    "-c --config <setting>...",
    "--recurse-submodules[=<path>]",
    "--filter <filter>",
    "--sparse",
    "--shallow-since <date>",
    "-j --jobs <n>",
    "--reference <repository>",
    "--template <dir>",
    "--separate-git-dir <dir>",
    "-u --upload-pack <path>",
    "-4 --ipv4",
    "-6 --ipv6",
  ],
  async runAsync(context, args) {
    for (const flag of [
      "mirror",
      "recurse-submodules",
      "filter",
      "sparse",
      "shallow-since",
      "reference",
      "separate-git-dir",
      "shared",
    ]) {
      if (args.has(flag)) throw fatal(`unsupported: git clone --${flag}`, "EUNSUPPORTED");
    }
    const [url, target, ...more] = args.everything;
    if (url === undefined) throw fatal("You must specify a repository to clone.", "EUSAGE");
    if (more.length > 0) throw fatal("Too many arguments.", "EUSAGE");
    const depth = args.number("depth");
    if (depth !== undefined && depth <= 0) throw fatal(`depth ${depth} is not a positive number`);
    const name = target ?? defaultName(url, args.has("bare"));
    const dir = absolutePath(context.cwd, name);
    const { files } = context.surroundings;
    if (files.stat(dir) !== undefined && (!files.isDirectory(dir) || files.names(dir).length > 0)) {
      throw fatal(`destination path '${name}' already exists and is not an empty directory.`, "EEXIST");
    }
    if (!args.has("quiet"))
      context.err(args.has("bare") ? `Cloning into bare repository '${name}'...\n` : `Cloning into '${name}'...\n`);
    const isLocal = !/^[a-z][a-z0-9+.-]*:\/\//i.test(url);
    if (depth !== undefined && isLocal)
      context.err("warning: --depth is ignored in local clones; use file:// instead.\n");
    const session: Session = {
      ...sessionOf(context),
      open: () =>
        new Repository({ gitDir: `${dir}/.git`, commonDir: `${dir}/.git`, workTree: dir }, context.surroundings),
    };
    const had = await cloneTo(session, {
      url,
      dir,
      ref: args.value("branch"),
      depth: isLocal ? undefined : depth,
      singleBranch: args.flag("single-branch") ?? (depth !== undefined && !isLocal),
      tags: args.flag("tags") !== false && !args.has("no-tags"),
      bare: args.has("bare"),
      checkout: !args.has("no-checkout"),
      origin: args.value("origin") ?? "origin",
      base: context.cwd,
      settings: args.all("config"),
    });
    if (!had && !args.has("quiet")) context.err("warning: You appear to have cloned an empty repository.\n");
    else if (isLocal && !args.has("quiet")) context.err("done.\n");
  },
};

function defaultName(url: string, bare: boolean): string {
  const path = url.replace(/[/\\]+$/, "").replace(/\/\.git$/, "");
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf(":")) + 1).replace(/\.git$/, "");
  if (name === "")
    throw fatal(`No directory name could be guessed.\nPlease specify a directory on the command line`, "EUSAGE");
  return bare ? `${name}.git` : name;
}

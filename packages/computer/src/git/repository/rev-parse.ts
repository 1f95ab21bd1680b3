/** Revisions as people write them: `HEAD~2`, `main`, `v1^{}`, seven digits of a name, `HEAD:path`. */

import { absolutePath } from "../../files/absolute-path.ts";
import { CommandFailure, fatal } from "../git-error.ts";
import { parseTag, subjectOf } from "../objects/commit.ts";
import { isOid, type ObjectType } from "../objects/object-id.ts";
import { entryAt, peel, peelTags, readCommit } from "../objects/read-objects.ts";
import { parseDate } from "./date.ts";
import type { Repository } from "./repository.ts";

const RULES = ["", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"];
const SHORTEST = 4;

/** The object that a revision names; undefined where it names none. `EFATAL` for a short name that several objects have. */
export function resolveRevision(repository: Repository, revision: string, cwd?: string): string | undefined {
  const colon = colonOf(revision);
  if (colon >= 0) return resolvePath(repository, revision.slice(0, colon), revision.slice(colon + 1), cwd);
  const suffix = /^(.*?)((?:[~^](?:\{[^}]*\}|\d*))*)$/s.exec(revision)!;
  let oid = resolveBase(repository, suffix[1]!);
  for (const [, sign, braced, count] of suffix[2]!.matchAll(/([~^])(?:\{([^}]*)\}|(\d*))/g)) {
    if (oid === undefined) return undefined;
    oid = step(repository, oid, sign!, braced, count ?? "");
  }
  return oid;
}

/** The object that a revision names; in git's words why there is none. */
export function revision(repository: Repository, text: string, cwd?: string): string {
  const oid = resolveRevision(repository, text, cwd);
  if (oid !== undefined) return oid;
  throw ambiguousArgument(text);
}

/** The commit that a revision leads to. */
export function commitOf(repository: Repository, text: string): string {
  return peel(repository.objects, revision(repository, text), "commit");
}

/** The tree that a revision leads to. */
export function treeOf(repository: Repository, text: string): string {
  return peel(repository.objects, revision(repository, text), "tree");
}

/** The tree of HEAD; undefined before the first commit. */
export function headTree(repository: Repository): string | undefined {
  const { head } = repository.refs;
  return head === undefined ? undefined : readCommit(repository.objects, head).tree;
}

export function ambiguousArgument(text: string): CommandFailure {
  return new CommandFailure(
    "EREVISION",
    `fatal: ambiguous argument '${text}': unknown revision or path not in the working tree.\nUse '--' to separate paths from revisions, like this:\n'git <command> [<revision>...] -- [<file>...]'`,
  );
}

/** The full name of the reference that a short one means; undefined where there is none. */
export function fullRef(repository: Repository, name: string): string | undefined {
  if (name === "@") return "HEAD";
  const { refs } = repository;
  for (const rule of RULES) {
    const full = rule + name;
    if (rule === "" && !/^(?:[A-Z_]+|refs\/.*)$/.test(name)) continue;
    if (refs.resolve(full) !== undefined) return full;
  }
  const remoteHead = `refs/remotes/${name}/HEAD`;
  return refs.resolve(remoteHead) === undefined ? undefined : remoteHead;
}

/** An object's name in as few digits as tell it from others, at least seven. */
export function abbreviate(repository: Repository, oid: string, length?: number): string {
  const setting = repository.config.get("core.abbrev");
  const wanted =
    length ?? (setting === undefined || setting === "auto" ? repository.objects.shortLength() : Number(setting));
  return repository.objects.abbreviate(oid, Math.max(wanted, SHORTEST));
}

/** Where the path begins in `rev:path`; -1 where there is none. */
function colonOf(text: string): number {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === "{") depth++;
    else if (text[i] === "}") depth--;
    else if (text[i] === ":" && depth === 0) return i;
  }
  return -1;
}

function resolvePath(repository: Repository, before: string, path: string, cwd?: string): string | undefined {
  if (before === "" && path.startsWith("/")) return byMessage(repository, path.slice(1), refTips(repository));
  const stage = before === "" ? /^([0-3]):/.exec(path) : null;
  let wanted = stage === null ? path : path.slice(2);
  if (/^\.\.?(?:\/|$)/.test(wanted) && cwd !== undefined) wanted = repository.relative(absolutePath(cwd, wanted));
  if (before === "") {
    const { index } = repository;
    const number = Number(stage?.[1] ?? 0);
    const entry = number === 0 ? index.get(wanted) : index.conflict(wanted).find((each) => each.stage === number);
    if (entry !== undefined) return entry.oid;
    const exists = !repository.isBare && repository.statInWorkTree(wanted) !== undefined;
    throw fatal(
      exists
        ? `path '${wanted}' exists on disk, but not in the index`
        : `path '${wanted}' does not exist (neither on disk nor in the index)`,
      "EREVISION",
    );
  }
  const oid = resolveRevision(repository, before);
  if (oid === undefined) throw fatal(`invalid object name '${before}'.`, "EREVISION");
  const tree = peel(repository.objects, oid, "tree");
  const trimmed = wanted.replace(/\/+$/, "");
  if (trimmed === "") return tree;
  const entry = entryAt(repository.objects, tree, trimmed);
  if (entry !== undefined) return entry.oid;
  const exists = !repository.isBare && repository.statInWorkTree(trimmed) !== undefined;
  throw fatal(
    exists
      ? `path '${trimmed}' exists on disk, but not in '${before}'`
      : `path '${trimmed}' does not exist in '${before}'`,
    "EREVISION",
  );
}

function refTips(repository: Repository): string[] {
  const { head } = repository.refs;
  return [...(head === undefined ? [] : [head]), ...repository.refs.list("refs/heads/").map(({ oid }) => oid)];
}

function resolveBase(repository: Repository, name: string): string | undefined {
  const { objects, refs } = repository;
  if (name === "") return undefined;
  const log = /^(.*)@\{(.*)\}$/s.exec(name);
  if (log !== null) return resolveLog(repository, log[1]!, log[2]!);
  if (isOid(name)) return name;
  const full = fullRef(repository, name);
  if (full !== undefined) return refs.resolve(full);
  const described = /-g([0-9a-f]{4,40})$/.exec(name);
  const prefix = described?.[1] ?? name.toLowerCase();
  if (!/^[0-9a-f]{4,40}$/.test(prefix)) return undefined;
  const found = objects.withPrefix(prefix);
  if (found.length < 2) return found[0];
  const commits = found.filter((oid) => ["commit", "tag"].includes(objects.read(oid).type));
  if (commits.length === 1) return commits[0];
  throw new CommandFailure(
    "EAMBIGUOUS",
    `error: short object ID ${prefix} is ambiguous\n${hint(repository, found)}${ambiguousArgument(name).stderr}`,
  );
}

function hint(repository: Repository, found: readonly string[]): string {
  const order: readonly ObjectType[] = ["tag", "commit", "tree", "blob"];
  const lines = found
    .map((oid) => ({ oid, object: repository.objects.read(oid) }))
    .sort((a, b) => order.indexOf(a.object.type) - order.indexOf(b.object.type) || (a.oid < b.oid ? -1 : 1))
    .map(({ oid, object: { type, data } }) => {
      let more = "";
      if (type === "commit") {
        const { committer, message } = readCommit(repository.objects, oid);
        more = ` ${new Date(committer.timestamp * 1000).toISOString().slice(0, 10)} - ${subjectOf(message)}`;
      } else if (type === "tag") more = ` ${parseTag(data).tag}`;
      return `hint:   ${abbreviate(repository, oid)} ${type}${more}\n`;
    });
  return `hint: The candidates are:\n${lines.join("")}`;
}

function resolveLog(repository: Repository, given: string, inside: string): string | undefined {
  const { refs } = repository;
  if (/^-\d+$/.test(inside) && given === "") {
    const branch = previousBranch(repository, Number(inside.slice(1)));
    return branch === undefined ? undefined : resolveRevision(repository, branch);
  }
  const name = given === "" ? (refs.branch ?? "HEAD") : fullRef(repository, given);
  if (name === undefined) return undefined;
  if (["u", "upstream"].includes(inside.toLowerCase()) || inside.toLowerCase() === "push") {
    const branch = (name === "HEAD" ? (refs.branch ?? "") : name).replace(/^refs\/heads\//, "");
    const upstream = upstreamOf(repository, branch);
    if (upstream === undefined) throw fatal(`no upstream configured for branch '${branch}'`, "EREVISION");
    return refs.resolve(upstream);
  }
  const entries = refs.log(name);
  if (/^\d+$/.test(inside)) {
    const at = Number(inside);
    if (at === 0) return refs.resolve(name);
    const entry = entries.at(-at - 1);
    if (entry !== undefined) return entry.to;
    if (entries.length === at && entries[0] !== undefined && !/^0+$/.test(entries[0].from)) return entries[0].from;
    throw fatal(`log for '${given === "" ? "HEAD" : given}' only has ${entries.length} entries`, "EREVISION");
  }
  const date = parseDate(inside, Math.floor(repository.now() / 1000));
  if (date === undefined) return undefined;
  const before = entries.findLast(({ who }) => Number(/ (\d+) [+-]\d{4}$/.exec(who)?.[1] ?? 0) <= date.timestamp);
  return before?.to ?? entries[0]?.from;
}

/** The branch, or the commit, that HEAD was on `count` switches ago. */
export function previousBranch(repository: Repository, count: number): string | undefined {
  let left = count;
  for (const { message } of repository.refs.log("HEAD").toReversed()) {
    const match = /^checkout: moving from (\S+) to \S+/.exec(message);
    if (match !== null && --left === 0) return match[1];
  }
  return undefined;
}

/** The reference that follows the branch that this one is set to follow. */
export function upstreamOf(repository: Repository, branch: string): string | undefined {
  const { config } = repository;
  const remote = config.get(`branch.${branch}.remote`);
  const merge = config.get(`branch.${branch}.merge`);
  if (remote === undefined || merge === undefined) return undefined;
  if (remote === ".") return merge;
  return trackingRef(config.all(`remote.${remote}.fetch`), merge);
}

/** Where a reference of a remote is kept here. */
export function trackingRef(refspecs: readonly string[], ref: string): string | undefined {
  for (const refspec of refspecs) {
    const [source = "", target] = refspec.replace(/^\+/, "").split(":");
    if (target === undefined) continue;
    if (source === ref) return target;
    const star = source.indexOf("*");
    if (star < 0) continue;
    const [head, tail] = [source.slice(0, star), source.slice(star + 1)];
    if (ref.startsWith(head) && ref.endsWith(tail))
      return target.replace("*", ref.slice(head.length, ref.length - tail.length));
  }
  return undefined;
}

function step(
  repository: Repository,
  oid: string,
  sign: string,
  braced: string | undefined,
  count: string,
): string | undefined {
  const { objects } = repository;
  if (braced !== undefined) {
    if (sign === "~") return undefined;
    if (braced === "") return peelTags(objects, oid);
    if (braced === "object") return oid;
    if (braced.startsWith("/")) return byMessage(repository, braced.slice(1), [oid]);
    return ["commit", "tree", "blob", "tag"].includes(braced) ? peel(objects, oid, braced as ObjectType) : undefined;
  }
  const number = count === "" ? 1 : Number(count);
  let at = peel(objects, oid, "commit");
  if (sign === "^") return number === 0 ? at : readCommit(objects, at).parents[number - 1];
  for (let i = 0; i < number; i++) {
    const parent = readCommit(objects, at).parents[0];
    if (parent === undefined) return undefined;
    at = parent;
  }
  return at;
}

function byMessage(repository: Repository, pattern: string, starts: readonly string[]): string | undefined {
  const regex = new RegExp(pattern);
  const queue = [...starts].map((oid) => readCommit(repository.objects, peel(repository.objects, oid, "commit")));
  const seen = new Set(queue.map(({ oid }) => oid));
  while (queue.length > 0) {
    queue.sort((a, b) => b.committer.timestamp - a.committer.timestamp);
    const commit = queue.shift()!;
    if (regex.test(commit.message)) return commit.oid;
    for (const parent of commit.parents) {
      if (seen.has(parent) || !repository.objects.has(parent)) continue;
      seen.add(parent);
      queue.push(readCommit(repository.objects, parent));
    }
  }
  return undefined;
}

/** Fetches: asks a remote what it has, takes over what is missing, and moves the references that follow it. */

import { failed, fatal } from "../git-error.ts";
import { isAncestor } from "../history/ancestry.ts";
import { walkHistory } from "../history/walk.ts";
import { peelTags } from "../objects/read-objects.ts";
import { shortName } from "../repository/ref-name.ts";
import type { Repository } from "../repository/repository.ts";
import { abbreviate } from "../repository/rev-parse.ts";
import { mapped, parseRefspec, type Refspec, remoteRef } from "./refspec.ts";
import type { Advertisement, FetchAnswer, Remote } from "./remote.ts";
import type { Session } from "./session.ts";

/** So many of our own commits are named to the remote at most, so that it can tell what is missing. */
const HAVES = 512;
/** What asks for all of a history. */
export const ALL_DEPTH = 0x7fffffff;

export interface FetchPlan {
  /** The remote's name; undefined for a bare address. */
  readonly name: string | undefined;
  readonly refspecs: readonly string[];
  /** The remote's own refspecs, which say where what else was named is kept. */
  readonly configured: readonly string[];
  readonly depth?: number | undefined;
  readonly tags: "follow" | "all" | "none";
  readonly prune: boolean;
  readonly force: boolean;
  readonly message: string;
  /** Branches of the remote's that are to be merged, in full. */
  readonly merge?: readonly string[] | undefined;
  readonly dryRun?: boolean | undefined;
}

/** What became of one reference. */
export interface RefUpdate {
  readonly flag: " " | "*" | "+" | "t" | "-" | "!" | "=";
  readonly summary: string;
  readonly source: string;
  readonly target: string;
  readonly note: string;
}

export interface FetchReport {
  readonly updates: readonly RefUpdate[];
  readonly advertisement: Advertisement;
  /** What is to be merged: an object, and how FETCH_HEAD describes it. */
  readonly forMerge: readonly { readonly oid: string; readonly ref: string }[];
  readonly first: string | undefined;
  readonly rejected: boolean;
}

interface Wanted {
  readonly ref: string;
  readonly oid: string;
  readonly target: string | null;
  readonly force: boolean;
  readonly merge: boolean;
}

export async function fetchInto(session: Session, remote: Remote, plan: FetchPlan): Promise<FetchReport> {
  const advertisement = await remote.refs("git-upload-pack");
  const wanted = wantedRefs(plan, advertisement);
  const request = session.step(() => requestFor(session.open(), wanted, plan));
  const answer =
    request.wants.length === 0
      ? undefined
      : await remote.fetch({ ...request, depth: plan.depth, includeTags: plan.tags !== "none" });
  const missing = session.step(() => {
    const repository = session.open();
    if (answer !== undefined) install(repository, answer);
    return plan.tags === "follow" ? missingTags(repository, advertisement) : [];
  });
  if (missing.length > 0) {
    const more = await remote.fetch({
      wants: missing,
      haves: session.step(() => haves(session.open())),
      shallow: request.shallow,
      includeTags: false,
    });
    session.step(() => install(session.open(), more));
  }
  return session.step(() => {
    const repository = session.open();
    const report = updateRefs(repository, remote.url, wanted, advertisement, plan);
    repository.save();
    return report;
  });
}

function wantedRefs(plan: FetchPlan, { refs }: Advertisement): Wanted[] {
  const found = new Map<string, Wanted>();
  const configured = plan.configured.map(parseRefspec);
  const put = (ref: string, spec: Refspec, target: string | null, named: boolean): void => {
    const merge = plan.merge === undefined ? named : plan.merge.includes(ref);
    const key = `${ref} ${target}`;
    if (!found.has(key)) found.set(key, { ref, oid: refs.get(ref)!, target, force: spec.force || plan.force, merge });
  };
  for (const text of plan.refspecs) {
    const given = parseRefspec(text);
    if (given.source.includes("*")) {
      for (const ref of refs.keys()) {
        const target = mapped(given, ref);
        if (target !== undefined) put(ref, given, target, false);
      }
      continue;
    }
    const ref = remoteRef(refs, given.source === "" ? "HEAD" : given.source);
    if (ref === undefined) throw fatal(`couldn't find remote ref ${given.source}`, "EREF");
    const target =
      given.target === undefined
        ? null
        : given.target.startsWith("refs/")
          ? given.target
          : `refs/${ref.startsWith("refs/tags/") ? "tags" : "heads"}/${given.target}`;
    put(ref, given, target, true);
    // What is named by itself is kept where the remote's branches are kept too.
    if (target !== null) continue;
    for (const spec of configured) {
      const kept = mapped(spec, ref);
      if (typeof kept === "string") put(ref, spec, kept, false);
    }
  }
  if (plan.tags === "all")
    for (const ref of refs.keys())
      if (ref.startsWith("refs/tags/")) put(ref, { force: plan.force, source: ref, target: ref }, ref, false);
  return [...found.values()];
}

function requestFor(
  repository: Repository,
  wanted: readonly Wanted[],
  plan: FetchPlan,
): { wants: string[]; haves: string[]; shallow: string[] } {
  const { objects } = repository;
  const oids = [...new Set(wanted.map(({ oid }) => oid))];
  const wants = plan.depth === undefined ? oids.filter((oid) => !objects.has(oid)) : oids;
  return { wants, haves: wants.length === 0 ? [] : haves(repository), shallow: [...objects.shallow] };
}

/** Commits of ours, the newest first. */
function haves({ refs, objects }: Repository): string[] {
  const tips = [
    ...new Set([...refs.list().map(({ oid }) => oid), ...(refs.head === undefined ? [] : [refs.head])]),
  ].map((oid) => peelTags(objects, oid));
  const found: string[] = [];
  for (const { oid } of walkHistory(objects, { from: tips.filter((oid) => objects.read(oid).type === "commit") })) {
    if (found.push(oid) >= HAVES) break;
  }
  return found;
}

function install(repository: Repository, { shallow, unshallow, install: take }: FetchAnswer): void {
  take(repository);
  if (shallow.length === 0 && unshallow.length === 0) return;
  const kept = new Set([...repository.objects.shallow, ...shallow]);
  for (const oid of unshallow) kept.delete(oid);
  repository.objects.setShallow(kept);
}

/** Annotated tags of what is here that are not here themselves. */
function missingTags({ refs, objects }: Repository, { refs: theirs, peeled }: Advertisement): string[] {
  return [...peeled].flatMap(([name, end]) => {
    const oid = theirs.get(name);
    if (oid === undefined || !name.startsWith("refs/tags/") || refs.resolve(name) !== undefined) return [];
    return objects.has(end) && !objects.has(oid) ? [oid] : [];
  });
}

function updateRefs(
  repository: Repository,
  url: string,
  wanted: readonly Wanted[],
  advertisement: Advertisement,
  plan: FetchPlan,
): FetchReport {
  const { objects, refs } = repository;
  const updates: RefUpdate[] = [];
  const pruned = plan.prune ? prune(repository, advertisement, plan) : [];
  for (const each of wanted) {
    if (each.target === null) {
      if (!wanted.some(({ ref, target }) => ref === each.ref && target !== null))
        updates.push({ flag: "*", summary: kindOf(each.ref), source: shown(each.ref), target: "FETCH_HEAD", note: "" });
      else
        updates.push({ flag: "*", summary: kindOf(each.ref), source: shown(each.ref), target: "FETCH_HEAD", note: "" });
      continue;
    }
    updates.push(updateRef(repository, each, each.target, plan));
  }
  if (plan.tags === "follow") {
    for (const [name, oid] of advertisement.refs) {
      if (!name.startsWith("refs/tags/") || refs.resolve(name) !== undefined || !objects.has(oid)) continue;
      if (!objects.has(advertisement.peeled.get(name) ?? oid)) continue;
      updates.push(updateRef(repository, { ref: name, oid, target: name, force: false, merge: false }, name, plan));
    }
  }
  const heads = wanted.filter(({ ref }, i) => wanted.findIndex((other) => other.ref === ref) === i);
  const ordered = [...heads.filter(({ merge }) => merge), ...heads.filter(({ merge }) => !merge)];
  if (!plan.dryRun) repository.setState("FETCH_HEAD", ordered.map((each) => fetchHeadLine(each, url)).join(""));
  return {
    updates: [...pruned, ...updates],
    advertisement,
    forMerge: heads.filter(({ merge }) => merge).map(({ oid, ref }) => ({ oid, ref })),
    first: heads[0]?.oid,
    rejected: updates.some(({ flag }) => flag === "!"),
  };
}

function prune(repository: Repository, { refs: theirs }: Advertisement, plan: FetchPlan): RefUpdate[] {
  const kept = new Set<string>();
  const specs = plan.configured.map(parseRefspec);
  for (const ref of theirs.keys()) for (const spec of specs) kept.add(mapped(spec, ref) ?? "");
  const gone = specs.flatMap(({ target }) => {
    const prefix = target?.split("*")[0] ?? "";
    return prefix === ""
      ? []
      : repository.refs
          .list(prefix)
          .filter(({ name }) => !kept.has(name) && repository.refs.symbolic(name) === undefined);
  });
  return gone.map(({ name }) => {
    if (!plan.dryRun) repository.refs.delete(name);
    return { flag: "-", summary: "[deleted]", source: "(none)", target: shown(name), note: "" };
  });
}

function updateRef(repository: Repository, { ref, oid, force }: Wanted, target: string, plan: FetchPlan): RefUpdate {
  const { refs, objects } = repository;
  const before = refs.resolve(target);
  const base = { source: shown(ref), target: shown(target), note: "" };
  const put = (why: string): void => {
    if (!plan.dryRun) refs.update(target, oid, `${plan.message}: ${why}`, { noDeref: true });
  };
  if (before === oid) return { ...base, flag: "=", summary: "[up to date]" };
  if (refs.branch === target && !repository.isBare)
    throw fatal(`refusing to fetch into branch '${target}' checked out at '${repository.workTree}'`, "EREF");
  if (before === undefined) {
    const kind = target.startsWith("refs/tags/") ? "tag" : ref.startsWith("refs/heads/") ? "branch" : "ref";
    put(kind === "branch" ? "storing head" : `storing ${kind}`);
    return { ...base, flag: "*", summary: `[new ${kind}]` };
  }
  if (target.startsWith("refs/tags/")) {
    if (!force) return { ...base, flag: "!", summary: "[rejected]", note: "  (would clobber existing tag)" };
    put("updating tag");
    return { ...base, flag: "t", summary: "[tag update]" };
  }
  const dots = (between: string): string => `${abbreviate(repository, before)}${between}${abbreviate(repository, oid)}`;
  if (objects.has(before) && isAncestor(objects, before, oid)) {
    put("fast-forward");
    return { ...base, flag: " ", summary: dots("..") };
  }
  if (!force) return { ...base, flag: "!", summary: "[rejected]", note: "  (non-fast-forward)" };
  put("forced-update");
  return { ...base, flag: "+", summary: dots("..."), note: "  (forced update)" };
}

function kindOf(ref: string): string {
  return ref.startsWith("refs/heads/")
    ? "branch"
    : ref.startsWith("refs/tags/")
      ? "tag"
      : ref === "HEAD"
        ? "branch"
        : "ref";
}

function shown(ref: string): string {
  return shortName(ref);
}

function fetchHeadLine({ oid, ref, merge }: Wanted, url: string): string {
  const kind =
    ref === "HEAD"
      ? ""
      : `${ref.startsWith("refs/heads/") ? "branch" : ref.startsWith("refs/tags/") ? "tag" : ""} '${shortName(ref)}' of `;
  return `${oid}\t${merge ? "" : "not-for-merge"}\t${kind}${url.replace(/\.git$/, "")}\n`;
}

/** The report as a command line shows it. */
export function fetchText(
  url: string,
  { updates }: FetchReport,
  { verbose = false }: { verbose?: boolean } = {},
): string {
  const told = updates.filter(({ flag }) => verbose || flag !== "=");
  if (told.length === 0) return "";
  const width = Math.max(10, ...told.map(({ source }) => source.length));
  const lines = told.map(
    ({ flag, summary, source, target, note }) =>
      ` ${flag} ${summary.padEnd(17)} ${source.padEnd(width)} -> ${target}${note}\n`,
  );
  return `From ${url.replace(/\.git$/, "").replace(/\/$/, "")}\n${lines.join("")}`;
}

export function refuseRejected(report: FetchReport): void {
  if (report.rejected) throw failed("some refs could not be fetched", 1, "EREJECTED");
}

/** `git status`. */

import { compareNames } from "@cloudflare/dofs";
import type { Command, CommandContext } from "../cli/command.ts";
import type { Args } from "../cli/flags.ts";
import { percent } from "../diff/change.ts";
import { quotePath } from "../diff/quote-path.ts";
import { fatal } from "../git-error.ts";
import { NULL_OID } from "../objects/object-id.ts";
import { GITLINK, modeText } from "../objects/tree.ts";
import { shortName } from "../repository/ref-name.ts";
import type { Repository } from "../repository/repository.ts";
import { longStatus } from "../worktree/long-status.ts";
import { type Status, type StatusItem, statusOf } from "../worktree/status.ts";
import { trackingOf } from "../worktree/tracking.ts";

/** A path that is not as it was committed, in the two columns of a short status. */
export interface StatusEntry {
  path: string;
  index: "A" | "M" | "D" | " ";
  worktree: "A" | "M" | "D" | " " | "?";
}

/** What differs, renames as a deletion and an addition, each untracked file by itself. */
export function status(repository: Repository): StatusEntry[] {
  const { items, untracked } = statusOf(repository, { untracked: "all", renames: false });
  const entries = items.map(({ path, staged, work, conflict }): StatusEntry => {
    if (conflict !== undefined) return { path, index: letter(conflict[0]!), worktree: letter(conflict[1]!) };
    return { path, index: letter(staged), worktree: letter(work) };
  });
  return [...entries, ...untracked.map((path): StatusEntry => ({ path, index: " ", worktree: "?" }))];
}

function letter(status: string): "A" | "M" | "D" | " " {
  return status === "A" || status === "D" || status === " " ? status : "M";
}

export const statusCommand: Command = {
  usage: "[<options>] [--] [<pathspec>...]",
  flags: [
    "-s --short",
    "-b --branch",
    "--porcelain[=<version>]",
    "--long",
    "-z --null",
    "-u --untracked-files[=<mode>]",
    "--ignored[=<mode>]",
    "--renames",
    "-M --find-renames[=<n>]",
    "--show-stash",
    "-v --verbose",
    "--ahead-behind",
    "--column[=<style>]",
    "--ignore-submodules[=<when>]",
  ],
  run(context, args) {
    const { repository } = context;
    if (repository.isBare) throw fatal("this operation must be run in a work tree");
    const given = args.value("untracked-files") ?? (args.has("untracked-files") ? "all" : undefined);
    const mode = given ?? repository.config.get("status.showuntrackedfiles") ?? "normal";
    if (!["no", "normal", "all"].includes(mode)) throw fatal(`Invalid untracked files mode '${mode}'`);
    const pathspec = args.everything.length === 0 ? undefined : context.pathspec(args.everything);
    const found = statusOf(repository, {
      untracked: args.flag("untracked-files") === false ? "no" : (mode as "no" | "normal" | "all"),
      ignored: args.has("ignored") && args.value("ignored") !== "no",
      pathspec,
      ...(args.flag("renames") === undefined ? {} : { renames: args.has("renames") }),
    });
    const shown =
      mode === "all"
        ? { ...found, ignored: found.ignored.flatMap((path) => filesUnder(repository, path)).sort(compareNames) }
        : found;
    const porcelain = args.has("porcelain") ? (args.value("porcelain") ?? "v1") : undefined;
    const end = args.has("null") ? "\0" : "\n";
    if (porcelain === "v2" || porcelain === "2") context.out(porcelainV2(context, shown, args, end));
    else if (porcelain !== undefined && !["v1", "1"].includes(porcelain))
      throw fatal(`unsupported porcelain version '${porcelain}'`);
    else if (porcelain !== undefined || (args.has("null") && !args.has("long")))
      context.out(short(context, shown, { args, end, relative: false }));
    else if (args.has("short") || (repository.config.flag("status.short") === true && !args.has("long"))) {
      context.out(
        short(context, shown, { args, end, relative: repository.config.flag("status.relativepaths") ?? true }),
      );
    } else
      context.out(longStatus(context, shown, { untracked: mode !== "no" && args.flag("untracked-files") !== false }));
  },
};

/** Every file in what is ignored as a whole. */
function filesUnder(repository: Repository, path: string): string[] {
  if (!path.endsWith("/")) return [path];
  const entries = repository.files.list(repository.inWorkTree(path.slice(0, -1)));
  if (entries.some(({ name }) => name === ".git")) return [path];
  return entries.flatMap(({ name, attr }) => filesUnder(repository, `${path}${name}${attr.kind === "dir" ? "/" : ""}`));
}

function short(
  context: CommandContext,
  { items, untracked, ignored }: Status,
  { args, end, relative }: { args: Args; end: string; relative: boolean },
): string {
  const name = (path: string): string => {
    if (end === "\0") return path;
    return quotePath(relative ? context.fromHere(path) : path, { high: context.quotesHigh, blanks: true });
  };
  const lines = items.map(({ path, from, staged, work, conflict }) => {
    const letters = conflict ?? `${staged}${work}`;
    if (from === undefined) return `${letters} ${name(path)}`;
    return end === "\0" ? `${letters} ${path}\0${from}` : `${letters} ${name(from)} -> ${name(path)}`;
  });
  const wantsBranch =
    args.flag("branch") ?? (!args.has("porcelain") && context.repository.config.flag("status.branch") === true);
  if (wantsBranch) lines.unshift(branchLine(context.repository));
  lines.push(...untracked.map((path) => `?? ${name(path)}`), ...ignored.map((path) => `!! ${name(path)}`));
  return lines.map((line) => line + end).join("");
}

function branchLine(repository: Repository): string {
  const { refs } = repository;
  if (refs.branch === undefined) return "## HEAD (no branch)";
  const name = shortName(refs.branch);
  const tracking = trackingOf(repository, refs.branch);
  let text = `${refs.head === undefined ? "No commits yet on " : ""}${name}`;
  if (tracking !== undefined) {
    text += `...${tracking.upstream}`;
    const { counts } = tracking;
    if (counts === undefined) text += refs.head === undefined ? "" : " [gone]";
    else {
      const parts = [
        counts.ahead > 0 ? `ahead ${counts.ahead}` : "",
        counts.behind > 0 ? `behind ${counts.behind}` : "",
      ];
      const shown = parts.filter((part) => part !== "");
      if (shown.length > 0) text += ` [${shown.join(", ")}]`;
    }
  }
  return `## ${text}`;
}

function porcelainV2(context: CommandContext, { items, untracked, ignored }: Status, args: Args, end: string): string {
  const { repository } = context;
  const lines: string[] = [];
  if (args.has("branch")) {
    const { refs } = repository;
    lines.push(`# branch.oid ${refs.head ?? "(initial)"}`);
    lines.push(`# branch.head ${refs.branch === undefined ? "(detached)" : shortName(refs.branch)}`);
    const tracking = trackingOf(repository, refs.branch);
    if (tracking !== undefined) {
      lines.push(`# branch.upstream ${tracking.upstream}`);
      if (tracking.counts !== undefined) lines.push(`# branch.ab +${tracking.counts.ahead} -${tracking.counts.behind}`);
    }
  }
  const name = (path: string): string => (end === "\0" ? path : context.shown(path));
  const isRename = ({ from }: StatusItem): boolean => from !== undefined;
  for (const item of items.filter(({ conflict }) => conflict === undefined))
    lines.push(changedLine(item, isRename(item), name, end));
  for (const item of items) if (item.conflict !== undefined) lines.push(conflictLine(item, name));
  lines.push(...untracked.map((path) => `? ${name(path)}`), ...ignored.map((path) => `! ${name(path)}`));
  return lines.map((line) => line + end).join("");
}

function changedLine(item: StatusItem, renamed: boolean, name: (path: string) => string, end: string): string {
  const letters = `${item.staged}${item.work}`.replaceAll(" ", ".");
  const nested = item.head?.mode === GITLINK || item.index?.mode === GITLINK;
  const sub = nested ? `S${item.newCommits ? "C" : "."}..` : "N...";
  const modes = [item.head?.mode ?? 0, item.index?.mode ?? 0, item.workMode].map(modeText).join(" ");
  const oids = `${item.head?.oid ?? NULL_OID} ${item.index?.oid ?? NULL_OID}`;
  const head = `${renamed ? 2 : 1} ${letters} ${sub} ${modes} ${oids}`;
  if (!renamed) return `${head} ${name(item.path)}`;
  return `${head} ${item.staged}${percent(item.score ?? 0)} ${name(item.path)}${end === "\0" ? "\0" : "\t"}${name(item.from!)}`;
}

function conflictLine(item: StatusItem, name: (path: string) => string): string {
  const modes = [...item.sides.map((side) => side?.mode ?? 0), item.workMode].map(modeText).join(" ");
  const oids = item.sides.map((side) => side?.oid ?? NULL_OID).join(" ");
  return `u ${item.conflict} N... ${modes} ${oids} ${name(item.path)}`;
}

/** The long form of a status, as people read it. */

import type { CommandContext } from "../cli/command.ts";
import { isOid } from "../objects/object-id.ts";
import { shortName } from "../repository/ref-name.ts";
import type { Repository } from "../repository/repository.ts";
import { abbreviate, fullRef, resolveRevision } from "../repository/rev-parse.ts";
import type { Status, StatusItem } from "./status.ts";
import { trackingOf, trackingText } from "./tracking.ts";

const STAGED: Readonly<Record<string, string>> = {
  A: "new file:",
  C: "copied:",
  D: "deleted:",
  M: "modified:",
  R: "renamed:",
  T: "typechange:",
};
const CONFLICTS: Readonly<Record<string, string>> = {
  DD: "both deleted:",
  AU: "added by us:",
  UD: "deleted by them:",
  UA: "added by them:",
  DU: "deleted by us:",
  AA: "both added:",
  UU: "both modified:",
};

export interface LongStatusOptions {
  /** Untracked files were looked for. */
  readonly untracked: boolean;
  /** It is shown because there is nothing to commit, with a merge at hand or not. */
  readonly committing?: boolean | undefined;
  readonly amend?: boolean | undefined;
}

export function longStatus(context: CommandContext, status: Status, options: LongStatusOptions): string {
  const { repository } = context;
  const { refs } = repository;
  const initial = refs.head === undefined;
  const merging = repository.state("MERGE_HEAD") !== undefined;
  const staged = status.items.filter((item) => item.conflict === undefined && item.staged !== " ");
  const conflicts = status.items.filter((item) => item.conflict !== undefined);
  const changed = status.items.filter((item) => item.conflict === undefined && item.work !== " ");
  const parts = [`${headLine(repository)}\n`];
  const tracking = initial ? "" : trackingText(trackingOf(repository, refs.branch));
  if (tracking !== "") parts.push(`${tracking}\n`);
  if (merging && conflicts.length > 0) {
    parts.push(
      'You have unmerged paths.\n  (fix conflicts and run "git commit")\n  (use "git merge --abort" to abort the merge)\n\n',
    );
  } else if (merging) {
    parts.push('All conflicts fixed but you are still merging.\n  (use "git commit" to conclude merge)\n\n');
  }
  if (initial) parts.push(`\n${options.committing ? "Initial commit" : "No commits yet"}\n\n`);
  const unstage = merging
    ? ""
    : initial
      ? '  (use "git rm --cached <file>..." to unstage)\n'
      : '  (use "git restore --staged <file>..." to unstage)\n';
  if (staged.length > 0) {
    parts.push(`Changes to be committed:\n${unstage}`);
    for (const item of staged) parts.push(`\t${(STAGED[item.staged] ?? "").padEnd(12)}${names(context, item)}\n`);
    parts.push("\n");
  }
  if (conflicts.length > 0) {
    parts.push(`Unmerged paths:\n${unstage}${resolveHint(conflicts)}`);
    for (const { path, conflict } of conflicts)
      parts.push(`\t${(CONFLICTS[conflict!] ?? "").padEnd(17)}${context.shown(path)}\n`);
    parts.push("\n");
  }
  if (changed.length > 0) {
    const verb = changed.some(({ work }) => work === "D") ? "add/rm" : "add";
    parts.push(
      `Changes not staged for commit:\n  (use "git ${verb} <file>..." to update what will be committed)\n  (use "git restore <file>..." to discard changes in working directory)\n`,
    );
    for (const item of changed) {
      const more = item.newCommits ? " (new commits)" : "";
      parts.push(`\t${(STAGED[item.work] ?? "").padEnd(12)}${context.shown(item.path)}${more}\n`);
    }
    parts.push("\n");
  }
  if (options.untracked) {
    parts.push(
      others(context, "Untracked files", "add", status.untracked),
      others(context, "Ignored files", "add -f", status.ignored),
    );
  }
  const committable = staged.length > 0 || (merging && conflicts.length === 0);
  if (!options.untracked && committable)
    parts.push("Untracked files not listed (use -u option to show untracked files)\n");
  if (!committable)
    parts.push(
      footer({
        initial,
        dirty: changed.length > 0 || conflicts.length > 0,
        untracked: status.untracked.length > 0,
        looked: options.untracked,
        amend: options.amend === true,
      }),
    );
  return parts.join("");
}

function headLine(repository: Repository): string {
  const { refs } = repository;
  if (refs.branch !== undefined) return `On branch ${shortName(refs.branch)}`;
  const last = refs.log("HEAD").findLast(({ message }) => message.startsWith("checkout: moving from "));
  const target = /^checkout: moving from \S+ to (\S+)/.exec(last?.message ?? "")?.[1];
  if (last === undefined || target === undefined) return "Not currently on any branch.";
  const word = refs.head === last.to ? "at" : "from";
  const full = isOid(target) ? undefined : fullRef(repository, target);
  const same = full !== undefined && resolveRevision(repository, `${target}^{commit}`) === last.to;
  return `HEAD detached ${word} ${same ? shortName(full) : abbreviate(repository, last.to)}`;
}

function names(context: CommandContext, { path, from }: StatusItem): string {
  return from === undefined ? context.shown(path) : `${context.shown(from)} -> ${context.shown(path)}`;
}

function resolveHint(conflicts: readonly StatusItem[]): string {
  const letters = conflicts.map(({ conflict }) => conflict!);
  const bothDeleted = letters.includes("DD");
  const oneDeleted = letters.some((each) => each === "UD" || each === "DU");
  const notDeleted = letters.some((each) => !["DD", "UD", "DU"].includes(each));
  if (!bothDeleted && !oneDeleted) return '  (use "git add <file>..." to mark resolution)\n';
  if (bothDeleted && !oneDeleted && !notDeleted) return '  (use "git rm <file>..." to mark resolution)\n';
  return '  (use "git add/rm <file>..." as appropriate to mark resolution)\n';
}

function others(context: CommandContext, title: string, verb: string, paths: readonly string[]): string {
  if (paths.length === 0) return "";
  const list = paths.map((path) => `\t${context.shown(path)}\n`).join("");
  return `${title}:\n  (use "git ${verb} <file>..." to include in what will be committed)\n${list}\n`;
}

function footer(state: {
  initial: boolean;
  dirty: boolean;
  untracked: boolean;
  looked: boolean;
  amend: boolean;
}): string {
  if (state.amend) return "No changes\n";
  if (state.dirty) return 'no changes added to commit (use "git add" and/or "git commit -a")\n';
  if (state.untracked) return 'nothing added to commit but untracked files present (use "git add" to track)\n';
  if (state.initial) return 'nothing to commit (create/copy files and use "git add" to track)\n';
  if (!state.looked) return "nothing to commit (use -u to show untracked files)\n";
  return "nothing to commit, working tree clean\n";
}

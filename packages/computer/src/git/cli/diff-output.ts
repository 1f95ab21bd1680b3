/** Changes in the forms that `diff`, `show` and `log` can give them. */

import { type Change, percent } from "../diff/change.ts";
import { DiffContents } from "../diff/diff-contents.ts";
import { fileStat, numstatText, statText, summaryText, totalsText } from "../diff/diff-stat.ts";
import { patchText } from "../diff/patch.ts";
import { quotePath } from "../diff/quote-path.ts";
import { detectRenames } from "../diff/renames.ts";
import { NULL_OID, oidOf } from "../objects/object-id.ts";
import { modeText } from "../objects/tree.ts";
import type { Repository } from "../repository/repository.ts";
import { abbreviate } from "../repository/rev-parse.ts";
import { attributesOf } from "../worktree/line-endings.ts";
import type { Args } from "./flags.ts";

/** The options of every command that shows changes. */
export const DIFF_FLAGS: readonly string[] = [
  "-p -u --patch",
  "-s --no-patch",
  "-U --unified <n>",
  "--raw",
  "--stat[=<width>]",
  "--numstat",
  "--shortstat",
  "--summary",
  "--compact-summary",
  "--patch-with-stat",
  "--name-only",
  "--name-status",
  "-M --find-renames[=<n>]",
  "-C --find-copies[=<n>]",
  "--no-renames",
  "-a --text",
  "--binary",
  "--full-index",
  "--abbrev[=<n>]",
  "--no-color",
  "--color[=<when>]",
  "--exit-code",
  "-z --null",
  "--no-prefix",
  "--src-prefix <prefix>",
  "--dst-prefix <prefix>",
  "--diff-filter <letters>",
  "--minimal",
  "--indent-heuristic",
  "--no-ext-diff",
  "--no-textconv",
  "--relative[=<path>]",
  "-r",
  "--ignore-submodules[=<when>]",
];

const FORMATS = ["raw", "stat", "numstat", "shortstat", "summary", "patch", "name-only", "name-status"] as const;
type Format = (typeof FORMATS)[number];

export interface DiffOutput {
  readonly formats: ReadonlySet<Format>;
  readonly repository: Repository;
  readonly args: Args;
}

/** What the options ask for; `fallback` where they ask for no form. */
export function diffOutput(repository: Repository, args: Args, fallback: readonly Format[]): DiffOutput {
  const formats = new Set<Format>(FORMATS.filter((format) => args.has(format)));
  if (args.has("compact-summary") || args.has("patch-with-stat")) formats.add("stat");
  if (args.has("patch-with-stat") || args.has("unified") || args.has("binary")) formats.add("patch");
  if (formats.size === 0) for (const format of fallback) formats.add(format);
  if (args.has("no-patch")) formats.clear();
  return { formats, repository, args };
}

/** The changes as they are to be seen: with renames, and only of the kinds asked for. */
export function shownChanges({ repository, args }: DiffOutput, changes: readonly Change[]): Change[] {
  const contents = new DiffContents(repository);
  const setting = repository.config.get("diff.renames")?.toLowerCase();
  const off =
    args.has("no-renames") ||
    (!args.has("find-renames") && !args.has("find-copies") && ["false", "no", "off", "0"].includes(setting ?? ""));
  const least = threshold(args.value("find-renames") ?? args.value("find-copies"));
  const found = off
    ? [...changes]
    : detectRenames(changes, (change, side) => contents.read(change, side), {
        least,
        copies: args.has("find-copies") || setting === "copies" || setting === "copy",
        hash: (data) => oidOf("blob", data),
      });
  const filter = args.value("diff-filter");
  if (filter === undefined) return found;
  const wanted = filter.replace(/[a-z*]/g, "");
  return found.filter(
    ({ status }) => !filter.includes(status.toLowerCase()) && (wanted === "" || wanted.includes(status)),
  );
}

function threshold(text: string | undefined): number | undefined {
  const match = /^(\d+)(%?)$/.exec(text ?? "");
  if (match === null) return undefined;
  const share = match[2] === "%" ? Number(match[1]) / 100 : Number(`0.${match[1]}`);
  return Math.min(Math.floor(share * 60_000), 60_000);
}

/** The text of changes. */
export function diffText(output: DiffOutput, changes: readonly Change[]): string {
  const { formats, repository, args } = output;
  if (changes.length === 0) return "";
  const quoteHigh = repository.config.flag("core.quotepath") ?? true;
  const end = args.has("null") ? "\0" : "\n";
  const name = (path: string): string => (end === "\0" ? path : quotePath(path, { high: quoteHigh }));
  const contents = new DiffContents(repository);
  const full = args.has("full-index") || args.has("binary");
  const short = (oid: string): string => shortOid(repository, args, oid);
  const parts: string[] = [];
  if (formats.has("raw")) for (const change of changes) parts.push(rawLine(change, short, name, end));
  if (formats.has("name-only")) for (const { path } of changes) parts.push(name(path) + end);
  if (formats.has("name-status")) for (const change of changes) parts.push(nameStatus(change, name, end));
  const wantsFigures = formats.has("stat") || formats.has("numstat") || formats.has("shortstat");
  const binary = (path: string): boolean | undefined => {
    const value = attributesOf(repository).of(path).get("diff");
    return typeof value === "boolean" ? !value : undefined;
  };
  const figures = wantsFigures ? changes.map((change) => fileStat(change, contents, { quoteHigh, binary })) : [];
  if (formats.has("numstat")) parts.push(numstatText(figures));
  if (formats.has("stat")) {
    const width = Number(args.value("stat")?.split(",")[0] ?? 0);
    parts.push(statText(figures, width > 0 ? width : undefined));
  } else if (formats.has("shortstat")) parts.push(totalsText(figures));
  if (formats.has("summary")) parts.push(summaryText(changes, quoteHigh));
  if (!formats.has("patch")) return parts.join("");
  if (parts.length > 0) parts.push("\n");
  const prefixes = args.has("no-prefix")
    ? (["", ""] as const)
    : ([args.value("src-prefix") ?? "a/", args.value("dst-prefix") ?? "b/"] as const);
  for (const change of changes) {
    parts.push(
      patchText(change, {
        contents,
        abbreviate: full ? (oid) => oid : short,
        context: args.number("unified") ?? repository.config.number("diff.context"),
        quoteHigh,
        text: args.has("text"),
        binary,
        prefixes,
      }),
    );
  }
  return parts.join("");
}

function shortOid(repository: Repository, args: Args, oid: string): string {
  const digits = args.value("abbrev") === undefined ? undefined : Number(args.value("abbrev"));
  if (oid === NULL_OID) return oid.slice(0, digits ?? abbreviationLength(repository));
  return abbreviate(repository, oid, digits);
}

function abbreviationLength(repository: Repository): number {
  const setting = repository.config.number("core.abbrev");
  return setting ?? repository.objects.shortLength();
}

function nameStatus({ status, path, from, score }: Change, name: (path: string) => string, end: string): string {
  const separator = end === "\0" ? "\0" : "\t";
  if (from === undefined) return `${status}${separator}${name(path)}${end}`;
  return `${status}${String(percent(score ?? 0)).padStart(3, "0")}${separator}${name(from)}${separator}${name(path)}${end}`;
}

function rawLine(change: Change, short: (oid: string) => string, name: (path: string) => string, end: string): string {
  const { old, next } = change;
  const modes = `:${modeText(old?.mode ?? 0)} ${modeText(next?.mode ?? 0)}`;
  return `${modes} ${short(old?.oid ?? NULL_OID)} ${short(next?.oid ?? NULL_OID)} ${nameStatus(change, name, end)}`;
}

/** Changes in figures: how many lines came and went. */

import { modeText } from "../objects/tree.ts";
import { isBinary } from "./binary.ts";
import { type Change, percent } from "./change.ts";
import type { DiffContents } from "./diff-contents.ts";
import { diffLines, linesOf } from "./line-diff.ts";
import { quotePath } from "./quote-path.ts";

export interface FileStat {
  readonly change: Change;
  readonly name: string;
  /** Lines; bytes of a binary file. */
  readonly added: number;
  readonly deleted: number;
  readonly binary: boolean;
  readonly unmerged: boolean;
}

const WIDTH = 80;

export function fileStat(
  change: Change,
  contents: DiffContents,
  {
    quoteHigh,
    binary,
  }: { quoteHigh?: boolean | undefined; binary?: ((path: string) => boolean | undefined) | undefined } = {},
): FileStat {
  const name =
    change.from === undefined
      ? quotePath(change.path, { high: quoteHigh })
      : renameText(change.from, change.path, quoteHigh);
  const figures = { change, name, added: 0, deleted: 0, binary: false, unmerged: change.status === "U" };
  if (figures.unmerged) return figures;
  const same =
    change.old !== undefined &&
    change.next !== undefined &&
    contents.oid(change, "old") === contents.oid(change, "next");
  const [a, b] = [contents.read(change, "old"), contents.read(change, "next")];
  if (binary?.(change.path) ?? (isBinary(a) || isBinary(b))) {
    return { ...figures, binary: true, deleted: same ? 0 : a.length, added: same ? 0 : b.length };
  }
  if (same) return figures;
  const changes = diffLines(linesOf(a), linesOf(b));
  return {
    ...figures,
    added: changes.reduce((sum, { nextCount }) => sum + nextCount, 0),
    deleted: changes.reduce((sum, { oldCount }) => sum + oldCount, 0),
  };
}

/** `--stat`: a line a file, and the totals. */
export function statText(stats: readonly FileStat[], width: number = WIDTH): string {
  if (stats.length === 0) return "";
  const most = Math.max(
    ...stats.map(({ added, deleted, binary, unmerged }) => (binary || unmerged ? 0 : added + deleted)),
  );
  const binaries = stats.filter(({ binary }) => binary);
  const binWidth = Math.max(
    0,
    ...binaries.map(({ added, deleted }) => 14 + digits(added) + digits(deleted)),
    ...stats.map(({ unmerged }) => (unmerged ? 8 : 0)),
  );
  const numberWidth = Math.max(digits(most), binaries.length > 0 ? 3 : 0);
  const total = Math.max(width, 16 + 6 + numberWidth);
  let graphWidth = most + 4 > binWidth ? most : binWidth - 4;
  let nameWidth = Math.max(...stats.map(({ name }) => displayWidth(name)));
  if (nameWidth + numberWidth + 6 + graphWidth > total) {
    const share = Math.floor((total * 3) / 8) - numberWidth - 6;
    if (graphWidth > share) graphWidth = Math.max(share, 6);
    if (nameWidth > total - numberWidth - 6 - graphWidth) nameWidth = total - numberWidth - 6 - graphWidth;
    else graphWidth = total - numberWidth - 6 - nameWidth;
  }
  const lines = stats.map((stat) => {
    const { added, deleted, binary, unmerged } = stat;
    const name = shortened(stat.name, nameWidth);
    const head = ` ${name}${" ".repeat(Math.max(nameWidth - displayWidth(name), 0))} | `;
    if (binary) {
      const sizes = added === 0 && deleted === 0 ? "" : ` ${deleted} -> ${added} bytes`;
      return `${head}${"Bin".padStart(numberWidth)}${sizes}`;
    }
    if (unmerged) return `${head}Unmerged`;
    const [plus, minus] = scaled(added, deleted, graphWidth, most);
    const graph = "+".repeat(plus) + "-".repeat(minus);
    return `${head}${String(added + deleted).padStart(numberWidth)}${graph === "" ? "" : ` ${graph}`}`;
  });
  return `${lines.join("\n")}\n${totalsText(stats)}`;
}

/** `--shortstat`, and the last line of `--stat`. */
export function totalsText(stats: readonly FileStat[]): string {
  const counted = stats.filter(({ unmerged }) => !unmerged);
  const sum = (key: "added" | "deleted"): number =>
    counted.reduce((total, stat) => total + (stat.binary ? 0 : stat[key]), 0);
  const [insertions, deletions] = [sum("added"), sum("deleted")];
  if (counted.length === 0) return " 0 files changed\n";
  let text = ` ${counted.length} file${counted.length === 1 ? "" : "s"} changed`;
  if (insertions > 0 || deletions === 0) text += `, ${insertions} insertion${insertions === 1 ? "" : "s"}(+)`;
  if (deletions > 0 || insertions === 0) text += `, ${deletions} deletion${deletions === 1 ? "" : "s"}(-)`;
  return `${text}\n`;
}

export function numstatText(stats: readonly FileStat[]): string {
  return stats
    .map(({ name, added, deleted, binary }) => `${binary ? "-" : added}\t${binary ? "-" : deleted}\t${name}\n`)
    .join("");
}

/** `--summary`: what came, went, moved, and changed its mode. */
export function summaryText(changes: readonly Change[], quoteHigh?: boolean): string {
  const quote = (path: string): string => quotePath(path, { high: quoteHigh });
  return changes
    .flatMap(({ status, path, from, old, next, score }) => {
      if (status === "A") return [` create mode ${modeText(next!.mode)} ${quote(path)}\n`];
      if (status === "D") return [` delete mode ${modeText(old!.mode)} ${quote(path)}\n`];
      const modes = old !== undefined && next !== undefined && old.mode !== next.mode;
      const change = modes ? ` mode change ${modeText(old.mode)} => ${modeText(next.mode)}` : "";
      if (from !== undefined) {
        const verb = status === "C" ? "copy" : "rename";
        return [
          ` ${verb} ${renameText(from, path, quoteHigh)} (${percent(score ?? 0)}%)\n${modes ? `${change}\n` : ""}`,
        ];
      }
      return modes ? [`${change} ${quote(path)}\n`] : [];
    })
    .join("");
}

/** A rename with what both names share said once: `src/{a => b}/c`. */
export function renameText(from: string, to: string, quoteHigh?: boolean): string {
  const [a, b] = [quotePath(from, { high: quoteHigh }), quotePath(to, { high: quoteHigh })];
  if (a !== from || b !== to) return `${a} => ${b}`;
  let prefix = 0;
  for (let i = 0; i < from.length && i < to.length && from[i] === to[i]; i++) if (from[i] === "/") prefix = i + 1;
  let suffix = 0;
  // The slash that ends the shared beginning may also begin the shared end.
  const keep = prefix > 0 ? prefix - 1 : 0;
  for (let i = 1; from.length - i >= keep && to.length - i >= keep && from.at(-i) === to.at(-i); i++) {
    if (from.at(-i) === "/") suffix = i;
  }
  const middle = (path: string): string => path.slice(prefix, Math.max(path.length - suffix, prefix));
  if (prefix + suffix === 0) return `${from} => ${to}`;
  return `${from.slice(0, prefix)}{${middle(from)} => ${middle(to)}}${suffix === 0 ? "" : from.slice(-suffix)}`;
}

function scaled(added: number, deleted: number, width: number, most: number): [number, number] {
  if (width > most) return [added, deleted];
  const scale = (count: number): number => (count === 0 ? 0 : 1 + Math.floor((count * (width - 1)) / most));
  let total = scale(added + deleted);
  if (total < 2 && added > 0 && deleted > 0) total = 2;
  if (added < deleted) {
    const plus = scale(added);
    return [plus, total - plus];
  }
  const minus = scale(deleted);
  return [total - minus, minus];
}

function shortened(name: string, width: number): string {
  if (displayWidth(name) <= width) return name;
  const rest = [...name].slice(-Math.max(width - 3, 0)).join("");
  const slash = rest.indexOf("/");
  return `...${slash < 0 ? rest : rest.slice(slash)}`;
}

function displayWidth(text: string): number {
  return [...text].length;
}

function digits(number: number): number {
  return String(number).length;
}

/** A change as a patch. */

import { Buffer } from "node:buffer";
import { NULL_OID } from "../objects/object-id.ts";
import { modeText } from "../objects/tree.ts";
import { isBinary } from "./binary.ts";
import { type Change, changeOf, MAX_SCORE, percent, type Side } from "./change.ts";
import { combinedHunks } from "./combined.ts";
import type { DiffContents } from "./diff-contents.ts";
import { hunksText } from "./hunks.ts";
import { diffLines, linesOf } from "./line-diff.ts";
import { quotePath } from "./quote-path.ts";

export interface PatchOptions {
  readonly contents: DiffContents;
  /** An object's name as it is shown. */
  abbreviate(oid: string): string;
  /** Lines around a change. Default 3. */
  readonly context?: number | undefined;
  readonly quoteHigh?: boolean | undefined;
  /** Shows binary files as text. */
  readonly text?: boolean | undefined;
  /** Whether a path's attributes say that it is binary (true) or text (false). */
  binary?(path: string): boolean | undefined;
  /** `a/` and `b/`, unless there are to be others. */
  readonly prefixes?: readonly [string, string] | undefined;
}

const CONTEXT = 3;

export function patchText(change: Change, options: PatchOptions): string {
  if (change.parents !== undefined) return combinedText(change, change.parents, options);
  if (change.status === "U") return `* Unmerged path ${quotePath(change.path, { high: options.quoteHigh })}\n`;
  if (change.status === "T") {
    // A file that became a link or the other way round went, and another came.
    const gone = patchText(changeOf(change.path, change.old, undefined), options);
    return gone + patchText(changeOf(change.path, undefined, change.next), options);
  }
  const { contents, prefixes = ["a/", "b/"] } = options;
  const name = (prefix: string, path: string): string => quotePath(prefix + path, { high: options.quoteHigh });
  const oldName = name(prefixes[0], change.from ?? change.path);
  const newName = name(prefixes[1], change.path);
  const { old, next } = change;
  const lines = [`diff --git ${oldName} ${newName}`];
  if (old === undefined) lines.push(`new file mode ${modeText(next!.mode)}`);
  else if (next === undefined) lines.push(`deleted file mode ${modeText(old.mode)}`);
  else if (old.mode !== next.mode) lines.push(`old mode ${modeText(old.mode)}`, `new mode ${modeText(next.mode)}`);
  if (change.from !== undefined) {
    const verb = change.status === "C" ? "copy" : "rename";
    lines.push(
      `similarity index ${percent(change.score ?? MAX_SCORE)}%`,
      `${verb} from ${quotePath(change.from, { high: options.quoteHigh })}`,
      `${verb} to ${quotePath(change.path, { high: options.quoteHigh })}`,
    );
  }
  const [from, to] = [old && contents.oid(change, "old"), next && contents.oid(change, "next")];
  if (from === to) return `${lines.join("\n")}\n`;
  const mode = old !== undefined && next !== undefined && old.mode === next.mode ? ` ${modeText(old.mode)}` : "";
  lines.push(`index ${options.abbreviate(from ?? NULL_OID)}..${options.abbreviate(to ?? NULL_OID)}${mode}`);
  const [a, b] = [contents.read(change, "old"), contents.read(change, "next")];
  const shownOld = old === undefined ? "/dev/null" : oldName;
  const shownNew = next === undefined ? "/dev/null" : newName;
  if (options.text !== true && (options.binary?.(change.path) ?? (isBinary(a) || isBinary(b)))) {
    lines.push(`Binary files ${shownOld} and ${shownNew} differ`);
    return `${lines.join("\n")}\n`;
  }
  const hunks = unifiedHunks(a, b, options.context ?? CONTEXT);
  if (hunks === "") return `${lines.join("\n")}\n`;
  lines.push(`--- ${withTab(shownOld)}`, `+++ ${withTab(shownNew)}`);
  return `${lines.join("\n")}\n${hunks}`;
}

/** A file beside all of its parents. */
function combinedText(change: Change, parents: readonly Side[], options: PatchOptions): string {
  const { contents, prefixes = ["a/", "b/"] } = options;
  const quote = (path: string): string => quotePath(path, { high: options.quoteHigh });
  const sides = parents.map((side) => contents.read({ ...change, old: side }, "old"));
  const result = change.next === undefined ? new Uint8Array() : contents.read(change, "next");
  const names = `${parents.map(({ oid }) => options.abbreviate(oid ?? NULL_OID)).join(",")}..${options.abbreviate(change.next?.oid ?? NULL_OID)}`;
  const lines = [`diff --cc ${quote(change.path)}`, `index ${names}`];
  const modes = new Set([...parents, ...(change.next === undefined ? [] : [change.next])].map(({ mode }) => mode));
  if (change.next === undefined) lines.push(`deleted file mode ${parents.map(({ mode }) => modeText(mode)).join(",")}`);
  else if (modes.size > 1)
    lines.push(`mode ${parents.map(({ mode }) => modeText(mode)).join(",")}..${modeText(change.next.mode)}`);
  if ([result, ...sides].some(isBinary)) return `${lines.join("\n")}\nBinary files differ\n`;
  const hunks = combinedHunks(result, sides, options.context ?? CONTEXT);
  // Of a merge, only what is in none of its parents is worth a word.
  if (hunks === "" && change.status !== "U") return "";
  lines.push(
    `--- ${withTab(quote(prefixes[0] + change.path))}`,
    `+++ ${change.next === undefined ? "/dev/null" : withTab(quote(prefixes[1] + change.path))}`,
  );
  return `${lines.join("\n")}\n${hunks}`;
}

/** A name with a blank in it ends in a tab, so that what reads the patch knows where it ends. */
function withTab(name: string): string {
  return name.includes(" ") && !name.startsWith('"') ? `${name}\t` : name;
}

function unifiedHunks(a: Uint8Array, b: Uint8Array, context: number): string {
  const [x, y] = [linesOf(a), linesOf(b)];
  return Buffer.from(hunksText(x, y, diffLines(x, y), context), "latin1").toString("utf8");
}

/** Commits one after another, each with its changes where they are asked for. */

import type { Change } from "../diff/change.ts";
import { diffTrees } from "../diff/tree-diff.ts";
import { fatal, UnsupportedError } from "../git-error.ts";
import { Decorations } from "../history/decorations.ts";
import { isUserFormat, prettyText } from "../history/pretty.ts";
import type { Pathspec } from "../ignore/pathspec.ts";
import type { Commit } from "../objects/commit.ts";
import { EMPTY_BLOB } from "../objects/object-id.ts";
import { readCommit } from "../objects/read-objects.ts";
import type { CommandContext } from "./command.ts";
import { type DiffOutput, diffOutput, diffText, shownChanges } from "./diff-output.ts";
import type { Args } from "./flags.ts";

/** The options of every command that shows commits. */
export const LOG_FLAGS: readonly string[] = [
  "--oneline",
  "--pretty[=<format>]",
  "--format <format>",
  "--date <format>",
  "--decorate[=<style>]",
  "--abbrev-commit",
  "--no-abbrev-commit",
  "-m --diff-merges-on",
  "--cc",
  "--root",
];

const FORMATS = ["oneline", "short", "medium", "full", "fuller", "reference", "raw"];

export class LogOutput {
  readonly #context: CommandContext;
  readonly #args: Args;
  readonly #format: string;
  readonly #diff: DiffOutput;
  readonly #pathspec: Pathspec;
  readonly #decorations: Decorations | undefined;
  readonly #any: Decorations;
  readonly #abbreviated: boolean;
  /** Merges are shown beside all of their parents. */
  readonly #combines: boolean;
  #shown = 0;

  constructor(
    context: CommandContext,
    args: Args,
    { patch, pathspec, combine = false }: { patch: boolean; pathspec: Pathspec; combine?: boolean },
  ) {
    const { repository } = context;
    this.#context = context;
    this.#args = args;
    this.#pathspec = pathspec;
    this.#format = formatOf(args, repository.config.get("format.pretty"));
    this.#diff = diffOutput(repository, args, patch ? ["patch"] : []);
    const style = args.has("decorate")
      ? (args.value("decorate") ?? "short")
      : (repository.config.get("log.decorate") ?? "no");
    const wanted = !["no", "auto", "false"].includes(style) && args.flag("decorate") !== false;
    this.#decorations = wanted ? new Decorations(repository, { full: style === "full" }) : undefined;
    this.#combines = combine;
    this.#any = new Decorations(repository);
    this.#abbreviated =
      args.flag("abbrev-commit") ?? (args.has("oneline") || repository.config.flag("log.abbrevcommit") === true);
  }

  /** Whether changes are shown. */
  get showsChanges(): boolean {
    return this.#diff.formats.size > 0;
  }

  show(commit: Commit, log?: { selector: string; subject: string }): void {
    const { repository } = this.#context;
    const user = isUserFormat(this.#format);
    const separated =
      this.#format.startsWith("format:") || !(user || this.#format === "oneline" || this.#format === "reference");
    if (separated && this.#shown > 0) this.#context.out("\n");
    this.#shown++;
    const date = this.#args.value("date") ?? repository.config.get("log.date") ?? "default";
    const text = prettyText(commit, {
      repository,
      format: this.#format,
      dateFormat: date,
      decorations: this.#decorations,
      anyDecorations: this.#any,
      abbreviated: this.#abbreviated,
      log,
      digits: this.#args.value("abbrev") === undefined ? undefined : Number(this.#args.value("abbrev")),
    });
    // An empty format says nothing, and no line either.
    const empty = this.#format === "format:" || this.#format === "tformat:";
    const terminated = this.#format.startsWith("tformat:") && !empty ? `${text}\n` : text;
    this.#context.out(
      log !== undefined && this.#format === "oneline"
        ? text.replace(/ .*\n$/s, ` ${log.selector}: ${log.subject}\n`)
        : terminated,
    );
    const changes = this.#changes(commit);
    if (commit.parents.length > 1 && this.#isCombined) {
      this.#context.out(`\n${changes}`);
      return;
    }
    if (changes === "") return;
    if (this.#format !== "oneline" && !empty) {
      const { formats } = this.#diff;
      const both = formats.has("stat") && formats.has("patch");
      this.#context.out(`${this.#format.startsWith("format:") ? "\n" : ""}${both ? "---" : ""}\n`);
    }
    this.#context.out(changes);
  }

  get #isCombined(): boolean {
    return this.#combines && this.showsChanges && !this.#args.has("diff-merges-on") && !this.#args.has("first-parent");
  }

  /** What a merge has that none of its parents has. */
  #combined(parents: readonly string[], tree: string): string {
    const { objects } = this.#context.repository;
    const trees = parents.map((parent) => readCommit(objects, parent).tree);
    const beside = trees.map(
      (before) => new Map(diffTrees(objects, before, tree).map((change) => [change.path, change])),
    );
    const [first, ...others] = beside;
    const paths = [...first!.keys()].filter(
      (path) => this.#pathspec.matches(path) && others.every((changes) => changes.has(path)),
    );
    const changes = paths.flatMap((path): Change[] => {
      const sides = beside.map((each) => each.get(path)!.old);
      // A file that some parent has not is beside nothing there.
      const known = sides.map((side) => side ?? { mode: 0, oid: EMPTY_BLOB });
      return [{ status: "M", path, next: first!.get(path)!.next, parents: known }];
    });
    return diffText(this.#diff, changes);
  }

  #changes({ parents, tree }: Commit): string {
    if (!this.showsChanges) return "";
    const { objects } = this.#context.repository;
    const isMerge = parents.length > 1 && !this.#args.has("diff-merges-on") && !this.#args.has("first-parent");
    if (isMerge && !this.#combines && !this.#args.has("cc")) return "";
    const { formats } = this.#diff;
    const combines = formats.size === 1 && (formats.has("patch") || formats.has("name-only"));
    if (isMerge && combines) return this.#combined(parents, tree);
    const before = parents[0] === undefined ? undefined : readCommit(objects, parents[0]).tree;
    const mayMatch = (directory: string): boolean => this.#pathspec.mayMatchUnder(directory);
    const changes = diffTrees(objects, before, tree, mayMatch).filter(({ path }) => this.#pathspec.matches(path));
    return diffText(this.#diff, shownChanges(this.#diff, changes));
  }
}

function formatOf(args: Args, setting: string | undefined): string {
  const last = args.last("oneline", "format", "pretty");
  if (last === "oneline") return "oneline";
  const given = (last === undefined ? undefined : args.value(last)) ?? setting ?? "medium";
  if (FORMATS.includes(given) || isUserFormat(given)) return given;
  if (given === "email" || given === "mboxrd") throw new UnsupportedError(`the log format '${given}'`);
  // What has a placeholder is a format of the user's own.
  if (given.includes("%") || last === "format") return `tformat:${given}`;
  throw fatal(`invalid --pretty format: ${given}`);
}

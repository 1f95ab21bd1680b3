/** `git tag`. */

import { compareNames } from "@cloudflare/dofs";
import { absolutePath } from "../../files/absolute-path.ts";
import type { Command } from "../cli/command.ts";
import { tidyMessage } from "../cli/message.ts";
import { failed, fatal, GitError } from "../git-error.ts";
import { isAncestor } from "../history/ancestry.ts";
import { wildmatch } from "../ignore/wildmatch.ts";
import { parseTag, personText, subjectOf } from "../objects/commit.ts";
import { peelTags, readCommit } from "../objects/read-objects.ts";
import { isRefName, shortName } from "../repository/ref-name.ts";
import type { Repository } from "../repository/repository.ts";
import { abbreviate, commitOf, resolveRevision } from "../repository/rev-parse.ts";

export interface GitTagOptions {
  dir?: string | undefined;
  name: string;
  /** What it names. Default HEAD. */
  object?: string | undefined;
  /** Moves it where it is there already. */
  force?: boolean | undefined;
}

export interface GitTagDeleteOptions {
  dir?: string | undefined;
  name: string;
}

export interface GitTagListOptions {
  dir?: string | undefined;
}

/** Makes a lightweight tag. `EEXIST` where there is one of the name. */
export function tag(repository: Repository, { name, object = "HEAD", force = false }: GitTagOptions): void {
  put(repository, name, target(repository, object), force);
}

/** `EREF` where there is no tag of the name. */
export function tagDelete(repository: Repository, { name }: GitTagDeleteOptions): void {
  if (!repository.refs.delete(`refs/tags/${name}`)) throw failed(`tag '${name}' not found.`, 1, "EREF");
}

/** The names of all tags, in order. */
export function tagList(repository: Repository): string[] {
  return repository.refs.list("refs/tags/").map(({ name }) => shortName(name));
}

function target(repository: Repository, text: string): string {
  const oid = resolveRevision(repository, text);
  if (oid === undefined) throw fatal(`Failed to resolve '${text}' as a valid ref.`, "EREVISION");
  return oid;
}

function put(repository: Repository, name: string, oid: string, force: boolean): string | undefined {
  if (!isRefName(`refs/tags/${name}`) || name.startsWith("-"))
    throw fatal(`'${name}' is not a valid tag name.`, "EREF");
  const before = repository.refs.resolve(`refs/tags/${name}`);
  if (before !== undefined && !force) throw fatal(`tag '${name}' already exists`, "EEXIST");
  repository.refs.update(`refs/tags/${name}`, oid, "");
  return before;
}

export const tagCommand: Command = {
  usage:
    "[-a] [-f] [-m <msg> | -F <file>] <tagname> [<commit> | <object>]\n-d <tagname>...\n[-n[<num>]] -l [<pattern>...]",
  flags: [
    "-l --list",
    "-n --lines[=<n>]",
    "-d --delete",
    "-v --verify",
    "-a --annotate",
    "-m --message <message>...",
    "-F --file <file>",
    "-s --sign",
    "-u --local-user <key>",
    "-f --force",
    "--sort <key>",
    "--contains[=<commit>]",
    "--no-contains[=<commit>]",
    "--merged[=<commit>]",
    "--points-at <object>",
    "--format <format>",
    "-e --edit",
    "--cleanup <mode>",
    "-i --ignore-case",
    "--column[=<style>]",
    "--create-reflog",
  ],
  run(context, args) {
    const { repository } = context;
    const { refs, objects } = repository;
    if (args.has("sign") || args.has("local-user") || args.has("verify"))
      throw fatal("unsupported: signed tags", "EUNSUPPORTED");
    const words = args.everything;
    if (args.has("delete")) {
      let code = 0;
      for (const name of words) {
        const oid = refs.resolve(`refs/tags/${name}`);
        if (oid === undefined) {
          context.err(`error: tag '${name}' not found.\n`);
          code = 1;
          continue;
        }
        refs.delete(`refs/tags/${name}`);
        context.line(`Deleted tag '${name}' (was ${abbreviate(repository, oid)})`);
      }
      return code;
    }
    const filters = ["contains", "no-contains", "merged", "points-at"].some((flag) => args.has(flag));
    if (words.length === 0 || args.has("list") || args.has("lines") || filters) {
      const commit = (oid: string): string => peelTags(objects, oid);
      const found = refs.list("refs/tags/").filter(({ name, oid }) => {
        if (words.length > 0 && !words.some((pattern) => wildmatch(pattern, shortName(name)))) return false;
        if (
          args.has("points-at") &&
          ![oid, commit(oid)].includes(resolveRevision(repository, args.value("points-at")!) ?? "")
        )
          return false;
        if (
          args.has("contains") &&
          !isAncestor(objects, commitOf(repository, args.value("contains") ?? "HEAD"), commit(oid))
        )
          return false;
        if (
          args.has("no-contains") &&
          isAncestor(objects, commitOf(repository, args.value("no-contains") ?? "HEAD"), commit(oid))
        )
          return false;
        return (
          !args.has("merged") || isAncestor(objects, commit(oid), commitOf(repository, args.value("merged") ?? "HEAD"))
        );
      });
      const key = args.value("sort") ?? repository.config.get("tag.sort");
      if (key !== undefined && /version:refname|v:refname/.test(key)) found.sort((a, b) => byVersion(a.name, b.name));
      if (key?.startsWith("-")) found.reverse();
      for (const { name, oid } of found) {
        if (!args.has("lines")) context.line(shortName(name));
        else {
          const object = objects.read(oid);
          const text =
            object.type === "tag"
              ? parseTag(object.data).message
              : object.type === "commit"
                ? readCommit(objects, oid).message
                : "";
          context.line(`${shortName(name).padEnd(15)} ${subjectOf(text)}`);
        }
      }
      return;
    }
    const [name, object = "HEAD", ...more] = words;
    if (more.length > 0) throw fatal("too many arguments");
    let oid = target(repository, object);
    const messages = args.all("message");
    const file = args.value("file");
    if (args.has("annotate") || messages.length > 0 || file !== undefined) {
      const text =
        file === undefined
          ? messages.map((part) => `${part}\n`).join("\n")
          : file === "-"
            ? context.stdin
            : repository.files.text(absolutePath(context.cwd, file));
      if (text === undefined) throw fatal(`could not open or read '${file}': No such file or directory`);
      if (messages.length === 0 && file === undefined)
        throw new GitError("EMESSAGE", "no tag message? There is no editor here: give it with -m or -F");
      if (refs.resolve(`refs/tags/${name}`) !== undefined && !args.has("force"))
        throw fatal(`tag '${name}' already exists`, "EEXIST");
      const lines = [
        `object ${oid}`,
        `type ${objects.read(oid).type}`,
        `tag ${name}`,
        `tagger ${personText(repository.person("committer"))}`,
      ];
      oid = objects.write(
        "tag",
        new TextEncoder().encode(`${lines.join("\n")}\n\n${tidyMessage(text, { comments: file !== undefined })}`),
      );
    }
    const before = put(repository, name!, oid, args.has("force"));
    if (before !== undefined && before !== oid)
      context.line(`Updated tag '${name}' (was ${abbreviate(repository, before)})`);
  },
};

/** Numbers in names by their value. */
function byVersion(a: string, b: string): number {
  const [x, y] = [a.split(/(\d+)/), b.split(/(\d+)/)];
  for (let i = 0; i < Math.min(x.length, y.length); i++) {
    const order = i % 2 === 1 ? Number(x[i]) - Number(y[i]) : compareNames(x[i]!, y[i]!);
    if (order !== 0) return order;
  }
  return x.length - y.length;
}

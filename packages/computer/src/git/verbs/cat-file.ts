/** `git cat-file`. */

import type { Command, CommandContext } from "../cli/command.ts";
import { CommandFailure, failed, fatal } from "../git-error.ts";
import { type ObjectType, viewOf } from "../objects/object-id.ts";
import type { GitObject } from "../objects/pack-file.ts";
import { entryAt, peel } from "../objects/read-objects.ts";
import { modeText, parseTree, typeOfMode } from "../objects/tree.ts";
import type { Repository } from "../repository/repository.ts";
import { resolveRevision, revision } from "../repository/rev-parse.ts";

export interface GitCatFileOptions {
  dir?: string | undefined;
  oid: string;
  /** A file in the tree that the object leads to. */
  filepath?: string | undefined;
}

export interface CatFileResult {
  oid: string;
  bytes: Uint8Array;
  type?: ObjectType | undefined;
}

/** An object's bytes. `EMISSING` where there is none. */
export function catFile(repository: Repository, { oid: given, filepath }: GitCatFileOptions): CatFileResult {
  let oid = revision(repository, given);
  if (filepath !== undefined) {
    const entry = entryAt(repository.objects, peel(repository.objects, oid, "tree"), filepath);
    if (entry === undefined) throw fatal(`path '${filepath}' does not exist in '${given}'`, "EREVISION");
    oid = entry.oid;
  }
  const { type, data } = repository.objects.read(oid);
  return { oid, bytes: new Uint8Array(data), type };
}

export const catFileCommand: Command = {
  usage: "<type> <object>\n(-e | -p | -t | -s) <object>\n(--batch | --batch-check)",
  flags: [
    "-t",
    "-s",
    "-e",
    "-p",
    "--batch[=<format>]",
    "--batch-check[=<format>]",
    "--allow-unknown-type",
    "--buffer",
    "--textconv",
    "--filters",
  ],
  run(context, args) {
    const { repository } = context;
    if (args.has("batch") || args.has("batch-check"))
      return batch(context, args.has("batch"), args.value("batch") ?? args.value("batch-check"));
    const words = args.everything;
    const [type, name] = words.length > 1 ? [words[0], words[1]!] : [undefined, words[0]];
    if (name === undefined) throw fatal("usage: git cat-file (-t | -s | -e | -p | <type>) <object>", "EUSAGE");
    const oid = resolved(context, name);
    const object = oid === undefined ? undefined : repository.objects.find(oid);
    if (args.has("e")) {
      if (oid === undefined) throw fatal(`Not a valid object name ${name}`, "EREVISION");
      return object === undefined ? 1 : 0;
    }
    if (oid === undefined) throw fatal(`Not a valid object name ${name}`, "EREVISION");
    if (object === undefined)
      throw args.has("t")
        ? fatal("git cat-file: could not get object info", "EMISSING")
        : fatal(
            `${args.has("s") ? "git cat-file: could not get object info" : `Not a valid object name ${name}`}`,
            "EMISSING",
          );
    if (args.has("t")) context.line(object.type);
    else if (args.has("s")) context.line(String(object.data.length));
    else if (args.has("p")) context.out(prettyObject(object, (path) => context.quoted(path)));
    else if (type === undefined) throw fatal("usage: git cat-file <type> <object>", "EUSAGE");
    else {
      if (!["blob", "tree", "commit", "tag"].includes(type)) throw fatal(`invalid object type "${type}"`, "EUSAGE");
      const target =
        type === "blob" && object.type === "blob" ? oid : peeled(repository, oid, type as ObjectType, name);
      context.out(viewOf(repository.objects.read(target).data).toString("utf8"));
    }
  },
};

function resolved({ repository, cwd }: CommandContext, name: string): string | undefined {
  try {
    return resolveRevision(repository, name, cwd);
  } catch (error) {
    if (!(error instanceof CommandFailure) || error.code !== "EAMBIGUOUS") throw error;
    const why = error.stderr.slice(0, error.stderr.indexOf("fatal: "));
    throw new CommandFailure(error.code, `${why}fatal: Not a valid object name ${name}`);
  }
}

function peeled(repository: Repository, oid: string, type: ObjectType, name: string): string {
  try {
    return peel(repository.objects, oid, type);
  } catch {
    throw fatal(`git cat-file ${name}: bad file`, "EMISSING");
  }
}

function prettyObject({ type, data }: GitObject, quoted: (path: string) => string): string {
  if (type !== "tree") return viewOf(data).toString("utf8");
  return parseTree(data)
    .map(({ mode, oid, name }) => `${modeText(mode)} ${typeOfMode(mode)} ${oid}\t${quoted(name)}\n`)
    .join("");
}

function batch(context: CommandContext, contents: boolean, format = "%(objectname) %(objecttype) %(objectsize)"): void {
  const { repository, stdin } = context;
  for (const line of stdin.split("\n").slice(0, stdin.endsWith("\n") ? -1 : undefined)) {
    const [name = "", ...rest] = format.includes("%(rest)") ? line.split(/\s+(.*)/s) : [line];
    let oid: string | undefined;
    try {
      oid = resolveRevision(repository, name);
    } catch {
      oid = undefined;
    }
    const object = oid === undefined ? undefined : repository.objects.find(oid);
    if (oid === undefined || object === undefined) {
      context.line(`${line} missing`);
      continue;
    }
    const values: Readonly<Record<string, string>> = {
      objectname: oid,
      objecttype: object.type,
      objectsize: String(object.data.length),
      rest: rest[0] ?? "",
    };
    context.line(
      format.replaceAll(/%\(([\w:]+)\)/g, (_, key: string) => {
        const value = values[key];
        if (value === undefined) throw failed(`unknown format element: ${key}`, 128);
        return value;
      }),
    );
    if (contents) context.out(`${viewOf(object.data).toString("utf8")}\n`);
  }
}

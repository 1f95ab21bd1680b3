/** `git update-ref` and `git symbolic-ref`. */

import type { Command } from "../cli/command.ts";
import { CommandFailure, fatal } from "../git-error.ts";
import { NULL_OID } from "../objects/object-id.ts";
import { isRefName, shortName } from "../repository/ref-name.ts";
import type { Repository } from "../repository/repository.ts";
import { resolveRevision, revision } from "../repository/rev-parse.ts";

export interface GitUpdateRefOptions {
  dir?: string | undefined;
  /** In full, such as `refs/heads/main`. */
  ref: string;
  /** A revision; with `symbolic` the reference that it is to follow. */
  value: string;
  /** Moves it where it is there already. */
  force?: boolean | undefined;
  symbolic?: boolean | undefined;
}

/** Makes a reference lead somewhere. `EEXIST` where it is there and `force` is not given. */
export function updateRef(
  repository: Repository,
  { ref, value, force = false, symbolic = false }: GitUpdateRefOptions,
): void {
  checkName(ref);
  const { refs } = repository;
  const there = symbolic ? refs.symbolic(ref) : refs.resolve(ref);
  if (there !== undefined && !force) throw fatal(`the reference '${ref}' exists already`, "EEXIST");
  if (symbolic) refs.setSymbolic(ref, value);
  else refs.update(ref, revision(repository, value), "");
}

function checkName(ref: string): void {
  if (!isRefName(ref) || !/^(?:refs\/.+|[A-Z][A-Z_]*)$/.test(ref))
    throw fatal(`update_ref failed for ref '${ref}': refusing to update ref with bad name '${ref}'`, "EREF");
}

export const updateRefCommand: Command = {
  usage: "[<options>] -d <refname> [<old-val>]\n[<options>] <refname> <new-val> [<old-val>]",
  flags: ["-m <reason>", "-d", "--no-deref", "--stdin", "-z", "--create-reflog"],
  run(context, args) {
    const { repository } = context;
    const { refs } = repository;
    if (args.has("stdin")) throw fatal("unsupported: git update-ref --stdin", "EUNSUPPORTED");
    const [ref, ...rest] = args.everything;
    const deletes = args.has("d");
    const [value, expected] = deletes ? [undefined, rest[0]] : rest;
    if (ref === undefined || (!deletes && value === undefined))
      throw new CommandFailure("EUSAGE", `usage: git update-ref ${updateRefCommand.usage.split("\n")[1]}`, 129);
    checkName(ref);
    const target = args.flag("no-deref") === true ? ref : (refs.symbolic(ref) ?? ref);
    const there = refs.resolve(target);
    const wanted = expected === undefined || expected === "" ? undefined : resolveRevision(repository, expected);
    if (expected !== undefined && expected !== "" && wanted === undefined && expected !== NULL_OID)
      throw fatal(`${expected}: not a valid SHA1`, "EREVISION");
    if (expected !== undefined && (wanted ?? NULL_OID) !== (there ?? NULL_OID)) {
      const why =
        there === undefined
          ? `unable to resolve reference '${target}'`
          : `is at ${there} but expected ${wanted ?? NULL_OID}`;
      throw there === undefined
        ? fatal(`update_ref failed for ref '${ref}': cannot lock ref '${ref}': ${why}`, "EREF")
        : fatal(`update_ref failed for ref '${ref}': cannot lock ref '${ref}': ${why}`, "EREF");
    }
    if (deletes) {
      refs.delete(target);
      return;
    }
    const oid = resolveRevision(repository, value!);
    if (oid === undefined) throw fatal(`${value}: not a valid SHA1`, "EREVISION");
    if (!repository.objects.has(oid))
      throw fatal(
        `update_ref failed for ref '${ref}': cannot update ref '${ref}': trying to write ref '${ref}' with nonexistent object ${oid}`,
        "EMISSING",
      );
    refs.update(ref, oid, args.value("m") ?? "", { noDeref: args.flag("no-deref") === true });
  },
};

export const symbolicRefCommand: Command = {
  usage: "[-m <reason>] <name> <ref>\n[-q] [--short] [--no-recurse] <name>\n--delete [-q] <name>",
  flags: ["-q --quiet", "-d --delete", "--short", "--recurse", "-m <reason>"],
  run(context, args) {
    const { refs } = context.repository;
    const [name, target] = args.everything;
    if (name === undefined) throw new CommandFailure("EUSAGE", "usage: git symbolic-ref [-q] [--short] <name>", 129);
    const there = refs.symbolic(name);
    if (args.has("delete")) {
      if (name === "HEAD") throw fatal(`deleting '${name}' is not allowed`, "EREF");
      if (there === undefined) throw fatal(`Cannot delete ${name}, not a symbolic ref`, "EREF");
      refs.delete(name);
    } else if (target !== undefined) {
      if (name === "HEAD" && !target.startsWith("refs/"))
        throw fatal("Refusing to point HEAD outside of refs/", "EREF");
      if (!isRefName(target)) throw fatal(`Refusing to set '${name}' to invalid ref '${target}'`, "EREF");
      refs.setSymbolic(name, target, args.value("m"));
    } else if (there !== undefined) context.line(args.has("short") ? shortName(there) : there);
    else if (args.has("quiet")) return 1;
    else throw fatal(`ref ${name} is not a symbolic ref`, "EREF");
  },
};

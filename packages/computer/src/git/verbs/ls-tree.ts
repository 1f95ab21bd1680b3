/** `git ls-tree`. */

import type { Command } from "../cli/command.ts";
import { joined, relativePath } from "../files/repository-path.ts";
import { fatal, PathspecNotFoundError } from "../git-error.ts";
import { entryAt, readTree } from "../objects/read-objects.ts";
import { DIRECTORY, modeText, type TreeEntry, typeOfMode } from "../objects/tree.ts";
import type { Repository } from "../repository/repository.ts";
import { abbreviate, resolveRevision, treeOf } from "../repository/rev-parse.ts";

export interface GitLsTreeOptions {
  ref: string;
  /** A directory of the tree, or a file. */
  path?: string | undefined;
  dir?: string | undefined;
}

export interface TreeEntryView {
  mode: string;
  path: string;
  oid: string;
  type: "blob" | "tree" | "commit";
}

/** The entries of a tree, or of a directory in it. `EPATHSPEC` where the path is not in it. */
export function lsTree(repository: Repository, { ref, path = "" }: GitLsTreeOptions): TreeEntryView[] {
  const wanted = path.replace(/^\.?\/|\/+$/g, "").replace(/^\.$/, "");
  const entry = entryAt(repository.objects, treeOf(repository, ref), wanted);
  if (entry === undefined) throw new PathspecNotFoundError(path);
  if (entry.mode !== DIRECTORY) return [view({ ...entry, name: wanted })];
  return readTree(repository.objects, entry.oid).map((each) => view({ ...each, name: joined(wanted, each.name) }));
}

function view({ mode, name, oid }: TreeEntry): TreeEntryView {
  return { mode: modeText(mode), path: name, oid, type: typeOfMode(mode) };
}

export const lsTreeCommand: Command = {
  usage: "[<options>] <tree-ish> [<path>...]",
  flags: [
    "-d",
    "-r",
    "-t",
    "-z --null",
    "-l --long",
    "--name-only",
    "--name-status",
    "--object-only",
    "--full-name",
    "--full-tree",
    "--abbrev[=<n>]",
    "--format <format>",
  ],
  run(context, args) {
    const { repository } = context;
    const [ref, ...given] = args.everything;
    if (ref === undefined) throw fatal("usage: git ls-tree [<options>] <tree-ish> [<path>...]", "EUSAGE");
    if (resolveRevision(repository, ref) === undefined) throw fatal(`Not a valid object name ${ref}`, "EREVISION");
    if (args.has("format")) throw fatal("unsupported: git ls-tree --format", "EUNSUPPORTED");
    const tree = treeOf(repository, ref);
    const prefix = args.has("full-tree") || repository.isBare ? "" : repository.relative(context.cwd);
    const paths = given.map((path) => ({
      path: joined(prefix, path.replace(/^\.\//, "").replace(/\/+$/, "")),
      inside: path.endsWith("/"),
    }));
    const end = args.has("null") ? "\0" : "\n";
    const visit = (oid: string, directory: string): void => {
      for (const entry of readTree(repository.objects, oid)) {
        const path = joined(directory, entry.name);
        const isTree = entry.mode === DIRECTORY;
        const chosen =
          paths.length === 0
            ? path.startsWith(prefix === "" ? "" : `${prefix}/`)
            : paths.some((each) => isMeant(path, each.path, each.inside, args.has("r")));
        const leads =
          paths.length === 0
            ? prefix !== "" && (prefix === path || prefix.startsWith(`${path}/`))
            : paths.some((each) => each.path.startsWith(`${path}/`) || (each.inside && each.path === path));
        const enters = isTree && (leads || (args.has("r") && chosen));
        if (enters) {
          if (args.has("t") || (chosen && !args.has("r") && !leads) || (args.has("d") && args.has("r") && chosen))
            print(path, entry);
          visit(entry.oid, path);
        } else if (chosen && !(args.has("d") && !isTree)) print(path, entry);
      }
    };
    const print = (path: string, { mode, oid }: TreeEntry): void => {
      const shown = args.has("full-name") || prefix === "" ? path : relativePath(`/${prefix}`, `/${path}`);
      const name = end === "\0" ? shown : context.quoted(shown);
      const digits = args.value("abbrev") === undefined ? undefined : Number(args.value("abbrev"));
      const short = args.has("abbrev") ? abbreviate(repository, oid, digits) : oid;
      const only =
        args.has("name-only") || args.has("name-status") ? name : args.has("object-only") ? short : undefined;
      if (only !== undefined) {
        context.out(only + end);
        return;
      }
      const type = typeOfMode(mode);
      const size = args.has("long")
        ? ` ${(type === "blob" ? String(repository.objects.read(oid).data.length) : "-").padStart(7)}`
        : "";
      context.out(`${modeText(mode)} ${type} ${short}${size}\t${name}${end}`);
    };
    visit(tree, "");
  },
};

function isMeant(path: string, wanted: string, inside: boolean, recursive: boolean): boolean {
  if (wanted === "" || wanted === ".") return true;
  if (path === wanted) return !inside;
  if (!path.startsWith(`${wanted}/`)) return false;
  return recursive || (inside && !path.slice(wanted.length + 1).includes("/"));
}

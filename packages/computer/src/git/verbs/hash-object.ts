/** `git hash-object`. */

import { absolutePath } from "../../files/absolute-path.ts";
import type { Command } from "../cli/command.ts";
import { fatal } from "../git-error.ts";
import { type ObjectType, oidOf } from "../objects/object-id.ts";
import type { Repository } from "../repository/repository.ts";
import { toRepository } from "../worktree/line-endings.ts";

export interface GitHashObjectOptions {
  dir?: string | undefined;
  content: string | Uint8Array;
  /** Keeps it in the repository. */
  write?: boolean | undefined;
}

/** The name that contents have as a blob. */
export function hashObject(repository: Repository, { content, write = false }: GitHashObjectOptions): string {
  const data = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return write ? repository.objects.write("blob", data) : oidOf("blob", data);
}

export const hashObjectCommand: Command = {
  usage: "[-t <type>] [-w] [--stdin] [--no-filters] <file>...",
  flags: ["-t --type <type>", "-w", "--stdin", "--stdin-paths", "--no-filters", "--literally", "--path <file>"],
  run(context, args) {
    const type = args.value("type") ?? "blob";
    if (!["blob", "tree", "commit", "tag"].includes(type)) throw fatal(`invalid object type "${type}"`, "EUSAGE");
    const put = (data: Uint8Array): void => {
      const oid = args.has("w")
        ? context.repository.objects.write(type as ObjectType, data)
        : oidOf(type as ObjectType, data);
      context.line(oid);
    };
    if (args.has("stdin")) put(new TextEncoder().encode(context.stdin));
    const paths = args.has("stdin-paths") ? context.stdin.split("\n").filter((line) => line !== "") : args.everything;
    for (const path of paths) {
      const absolute = absolutePath(context.cwd, path);
      const bytes = context.surroundings.files.read(context.surroundings.files.real(absolute));
      if (bytes === undefined) throw fatal(`could not open '${path}' for reading: No such file or directory`, "ENOENT");
      put(args.has("no-filters") ? bytes : filtered(context, absolute, bytes));
    }
  },
};

function filtered(
  context: Parameters<NonNullable<Command["run"]>>[0],
  absolute: string,
  bytes: Uint8Array,
): Uint8Array {
  let repository: Repository;
  try {
    repository = context.repository;
  } catch {
    return bytes;
  }
  const top = repository.place.workTree;
  return top !== undefined && absolute.startsWith(`${top}/`)
    ? toRepository(repository, repository.relative(absolute), bytes)
    : bytes;
}

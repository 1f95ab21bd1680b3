/** `git show`. */

import type { Command } from "../cli/command.ts";
import { DIFF_FLAGS } from "../cli/diff-output.ts";
import { LOG_FLAGS, LogOutput } from "../cli/log-output.ts";
import { splitRevisions } from "../cli/revisions-and-paths.ts";
import { Pathspec } from "../ignore/pathspec.ts";
import { parsePerson, parseTag } from "../objects/commit.ts";
import { viewOf } from "../objects/object-id.ts";
import { readCommit, readTree } from "../objects/read-objects.ts";
import { DIRECTORY } from "../objects/tree.ts";
import { dateText } from "../repository/date.ts";
import type { Repository } from "../repository/repository.ts";
import { commitOf, revision } from "../repository/rev-parse.ts";
import { type CommitView, commitView } from "./log.ts";

export interface GitShowOptions {
  ref: string;
  dir?: string | undefined;
}

/** The commit that a revision leads to. */
export function show(repository: Repository, { ref }: GitShowOptions): CommitView {
  return commitView(readCommit(repository.objects, commitOf(repository, ref)));
}

export const showCommand: Command = {
  usage: "[<options>] [<object>...]",
  flags: [...DIFF_FLAGS, ...LOG_FLAGS, "-q --quiet", "--first-parent"],
  run(context, args) {
    const { repository } = context;
    const { revisions, paths } = splitRevisions(context, args);
    const pathspec = paths.length === 0 ? new Pathspec([]) : context.pathspec(paths);
    const output = new LogOutput(context, args, { patch: !args.has("quiet"), pathspec, combine: true });
    for (const text of revisions.length === 0 ? ["HEAD"] : revisions) {
      for (let oid = revision(repository, text, context.cwd); ; ) {
        const { type, data } = repository.objects.read(oid);
        if (type === "blob") context.out(viewOf(data).toString("utf8"));
        else if (type === "tree") {
          const names = readTree(repository.objects, oid).map(
            ({ name, mode }) => `${name}${mode === DIRECTORY ? "/" : ""}\n`,
          );
          context.out(`tree ${text}\n\n${names.join("")}`);
        } else if (type === "commit") output.show(readCommit(repository.objects, oid));
        else {
          const { tag, tagger, message, object } = parseTag(data);
          context.out(`tag ${tag}\n`);
          if (tagger !== undefined) {
            const who = parsePerson(tagger);
            context.out(
              `Tagger: ${who.name} <${who.email}>\nDate:   ${dateText(who, args.value("date") ?? "default", 0)}\n`,
            );
          }
          context.out(`\n${message.trimEnd()}\n\n`);
          oid = object;
          continue;
        }
        break;
      }
    }
  },
};

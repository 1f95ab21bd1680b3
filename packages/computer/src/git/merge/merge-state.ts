/** A merge that is under way: what is being merged, and what is in its way. */

import { CommandFailure } from "../git-error.ts";
import type { Repository } from "../repository/repository.ts";

/** The commits that are being merged; none where no merge is under way. */
export function mergeHeads(repository: Repository): string[] {
  return (repository.state("MERGE_HEAD") ?? "").split("\n").filter((line) => line !== "");
}

/** Says which files must be resolved first. */
export function unmerged(paths: readonly string[], what: string): CommandFailure {
  return new CommandFailure(
    "EUNMERGED",
    `error: ${what} is not possible because you have unmerged files.\nhint: Fix them up in the work tree, and then use 'git add/rm <file>'\nhint: as appropriate to mark resolution and make a commit.\nfatal: Exiting because of an unresolved conflict.`,
    128,
    // Only a commit names the files.
    what === "Committing" ? paths.map((path) => `U\t${path}\n`).join("") : "",
  );
}

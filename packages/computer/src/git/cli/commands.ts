/** The table of verbs: what `git <verb>` does. */

import { addCommand } from "../verbs/add.ts";
import { branchCommand } from "../verbs/branch.ts";
import { catFileCommand } from "../verbs/cat-file.ts";
import { checkoutCommand } from "../verbs/checkout.ts";
import { cleanCommand } from "../verbs/clean.ts";
import { cloneCommand } from "../verbs/clone.ts";
import { commitCommand } from "../verbs/commit.ts";
import { configCommand } from "../verbs/config.ts";
import { diffCommand } from "../verbs/diff.ts";
import { fetchCommand } from "../verbs/fetch.ts";
import { hashObjectCommand } from "../verbs/hash-object.ts";
import { initCommand } from "../verbs/init.ts";
import { logCommand } from "../verbs/log.ts";
import { lsFilesCommand } from "../verbs/ls-files.ts";
import { lsTreeCommand } from "../verbs/ls-tree.ts";
import { mergeCommand } from "../verbs/merge.ts";
import { pullCommand } from "../verbs/pull.ts";
import { pushCommand } from "../verbs/push.ts";
import { remoteCommand } from "../verbs/remote.ts";
import { resetCommand } from "../verbs/reset.ts";
import { restoreCommand } from "../verbs/restore.ts";
import { revParseCommand, runRevParse } from "../verbs/rev-parse.ts";
import { rmCommand } from "../verbs/rm.ts";
import { showCommand } from "../verbs/show.ts";
import { runStash, stashCommand } from "../verbs/stash.ts";
import { statusCommand } from "../verbs/status.ts";
import { switchCommand } from "../verbs/switch.ts";
import { tagCommand } from "../verbs/tag.ts";
import { symbolicRefCommand, updateRefCommand } from "../verbs/update-ref.ts";
import type { Command, CommandContext } from "./command.ts";

export const COMMANDS: Readonly<Record<string, Command>> = {
  add: addCommand,
  branch: branchCommand,
  "cat-file": catFileCommand,
  checkout: checkoutCommand,
  clean: cleanCommand,
  clone: cloneCommand,
  commit: commitCommand,
  config: configCommand,
  diff: diffCommand,
  fetch: fetchCommand,
  "hash-object": hashObjectCommand,
  init: initCommand,
  log: logCommand,
  "ls-files": lsFilesCommand,
  "ls-tree": lsTreeCommand,
  merge: mergeCommand,
  pull: pullCommand,
  push: pushCommand,
  remote: remoteCommand,
  reset: resetCommand,
  restore: restoreCommand,
  "rev-parse": revParseCommand,
  rm: rmCommand,
  show: showCommand,
  stash: stashCommand,
  status: statusCommand,
  switch: switchCommand,
  "symbolic-ref": symbolicRefCommand,
  tag: tagCommand,
  "update-ref": updateRefCommand,
};

/** Verbs that read their words themselves: those with verbs of their own, or in which the order of words counts. */
export const RAW_COMMANDS: Readonly<Record<string, (context: CommandContext, argv: readonly string[]) => number>> = {
  "rev-parse": runRevParse,
  stash: runStash,
};

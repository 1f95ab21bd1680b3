/** Commands of just-bash that read whole trees: all of the tree is told at once before they run. */

import { type CustomCommand, defineCommand, type ExecResult, type ResolvedCommandContext } from "just-bash";
import type { RemoteFiles } from "../files/remote-files.ts";

/** Commands that need no contents. */
const NAMES_ONLY = ["tree", "du"];

export function prefetching(files: RemoteFiles | undefined): CustomCommand[] {
  if (files === undefined) return [];
  return [
    ...NAMES_ONLY.map((name) => before(name, (args, context) => trees(files, args, context, false))),
    defineCommand("rg", (args, context) => rg(files, args, context)),
    before("cat", (args, context) =>
      files.prefetchFiles(operands(args).map((arg) => context.fs.resolvePath(context.cwd, arg))),
    ),
    before("tar", (args, context) =>
      args.some((arg) => /^-?[a-zA-Z]*c/.test(arg)) ? trees(files, args, context, true) : undefined,
    ),
  ];
}

function before(
  name: string,
  prepare: (args: string[], context: ResolvedCommandContext) => Promise<void> | undefined,
): CustomCommand {
  return defineCommand(name, async (args, context): Promise<ExecResult> => {
    await prepare(args, context);
    if (context.origCommand === undefined) throw new Error("the command is not there");
    return context.origCommand(args);
  });
}

/** Has every directory among the arguments told; where there is none, the current one. */
export async function trees(
  files: RemoteFiles,
  args: readonly string[],
  context: ResolvedCommandContext,
  contents: boolean,
): Promise<void> {
  const paths = operands(args);
  const found: string[] = [];
  for (const arg of paths) {
    const path = context.fs.resolvePath(context.cwd, arg);
    const stat = await context.fs.stat(path).catch(() => undefined);
    if (stat?.isDirectory === true) found.push(path);
  }
  for (const path of found.length > 0 ? found : [context.cwd]) await files.prefetch(path, { contents });
}

function operands(args: readonly string[]): string[] {
  return args.filter((arg) => !arg.startsWith("-"));
}

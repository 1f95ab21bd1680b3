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

/** `rg` with the exit code 2 of what it cannot do. */
async function rg(files: RemoteFiles, args: string[], context: ResolvedCommandContext): Promise<ExecResult> {
  await trees(files, args, context, !args.includes("--files"));
  if (context.origCommand === undefined) throw new Error("the command is not there");
  const result = await context.origCommand(args);
  const named = args.some((arg) => arg === "--files" || arg === "-e" || arg === "-f" || arg.startsWith("--regexp"));
  let stderr = "";
  const words = operands(args).filter((word) => !isValue(args, word));
  for (const path of words.slice(named ? 0 : 1)) {
    if (!/^[\w./-]+$/.test(path)) continue;
    if (await context.fs.exists(context.fs.resolvePath(context.cwd, path))) continue;
    stderr += `rg: ${path}: No such file or directory (os error 2)\n`;
  }
  const failed = stderr !== "" || (result.exitCode !== 0 && /^rg: /m.test(result.stderr));
  return { ...result, stderr: result.stderr + stderr, exitCode: failed ? 2 : result.exitCode };
}

const VALUED =
  /^(?:-[gteftTABCmjMr]|--(?:glob|type|type-not|max-count|max-depth|context|after-context|before-context|sort|replace|iglob))$/;

/** Whether a word is the value of the option before it. */
function isValue(args: readonly string[], word: string): boolean {
  return VALUED.test(args[args.indexOf(word) - 1] ?? "");
}

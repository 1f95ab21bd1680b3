/** `git`: one call of the workspace for each command line. */

import type { CustomCommand } from "just-bash";
import type { GitCliInput, GitCliResult } from "../../git/cli/run-cli.ts";
import { command } from "../commands/command.ts";

/** What runs the command lines; a stub of a workspace is one. */
export interface GitCommandHost {
  git: { cli(input: GitCliInput): Promise<GitCliResult> };
}

/** The command `git`, which works where the workspace is. */
export function defineGitCommand(ws: GitCommandHost): CustomCommand {
  return command("git", async ({ args, cwd, context, stdin }) => {
    const env = Object.fromEntries(context.env);
    const bytes = stdin();
    const input = bytes.length === 0 ? {} : { stdin: new TextDecoder().decode(bytes) };
    const { stdout, stderr, exitCode } = await ws.git.cli({ argv: args, cwd, env, ...input });
    return { stdout, stderr, code: exitCode };
  });
}

/** `assets`: files shared by links. */

import type { CustomCommand } from "just-bash";
import { commandLine, UsageError } from "../../options/command-line.ts";
import { secondsOf } from "../../options/duration.ts";
import { command, Failure } from "../commands/command.ts";

/** What has the files that `assets` shares; a stub of a workspace is one. */
export interface AssetsCommandHost {
  /** Absent where nothing can be shared. `expiresAfter` is milliseconds. */
  assets?: { publish(path: string, options: { expiresAfter: number }): Promise<string> } | undefined;
}

const HOUR_SECONDS = 3600;
const USAGE = `usage: assets publish [--expires=DURATION] FILE
  prints a link to the file as it is now, which works for an hour, or for 30s, 5m, 2h30m or up to 7d
`;

/** The command `assets`: `assets publish FILE` prints a link. 129 for what is no command line, 1 where the file cannot be shared. */
export function defineAssetsCommand(ws: AssetsCommandHost): CustomCommand {
  return command("assets", async ({ args, path }) => {
    if (["help", "--help", "-h"].includes(args[0] ?? "")) return { stdout: USAGE };
    const { file, seconds } = read(args);
    if (ws.assets === undefined) throw new Failure("this workspace cannot share files: give it the option assets");
    try {
      return { stdout: `${await ws.assets.publish(path(file), { expiresAfter: seconds * 1000 })}\n` };
    } catch (error) {
      throw new Failure(`${file}: ${error instanceof Error ? error.message : error}`);
    }
  });
}

function read(args: readonly string[]): { file: string; seconds: number } {
  try {
    if (args[0] !== "publish") {
      throw new UsageError(args[0] === undefined ? "a command is missing" : `there is no command ${args[0]}`);
    }
    const { words, values } = commandLine(args.slice(1), { words: ["FILE"], values: ["expires"] });
    const seconds = values.expires === undefined ? HOUR_SECONDS : secondsOf(values.expires);
    if (seconds === undefined)
      throw new UsageError(`--expires takes a duration, not ${JSON.stringify(values.expires)}`);
    return { file: words[0] ?? "", seconds };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new Failure(`${error.message}\n${USAGE.trimEnd()}`, 129);
  }
}

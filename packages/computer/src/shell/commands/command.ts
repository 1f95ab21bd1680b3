/** What our own commands are made with. */

import {
  type CustomCommand,
  defineCommand,
  type ExecResult,
  type IFileSystem,
  type ResolvedCommandContext,
} from "just-bash";
import { line, taken } from "../engine/breath.ts";
import { byteString, bytesOfByteString, textOf } from "../engine/byte-string.ts";
import { reason } from "../engine/reason.ts";

/** What a command works with. */
export interface Shell {
  readonly args: string[];
  readonly fs: IFileSystem;
  readonly cwd: string;
  readonly context: ResolvedCommandContext;
  stdin(): Uint8Array;
  /** An absolute path. */
  path(path: string): string;
  /** A file's bytes; stdin's for `-`. A {@link Failure} says why not, in a tool's words. */
  read(path: string): Promise<Uint8Array>;
  /** To be awaited before each of many lines where it gives something: a pause, in which a kill arrives. */
  line(): Promise<void> | undefined;
}

/** What came of a command. */
export interface Outcome {
  stdout?: string | Uint8Array;
  stderr?: string;
  code?: number;
}

/** Ends a command with a message and an exit code. */
export class Failure extends Error {
  readonly code: number;

  constructor(message: string, code = 1) {
    super(message);
    this.code = code;
  }
}

/** A command of ours. */
export function command(name: string, run: (shell: Shell) => Promise<Outcome> | Outcome): CustomCommand {
  return defineCommand(name, async (args, context): Promise<ExecResult> => {
    try {
      const { stdout = "", stderr = "", code = 0 } = await run(shellOf(args, context));
      if (typeof stdout === "string") return { stdout, stdoutKind: "text", stderr, exitCode: code };
      return { stdout: byteString(stdout), stdoutKind: "bytes", stderr, exitCode: code };
    } catch (error) {
      if (error instanceof Failure) return { stdout: "", stderr: `${name}: ${error.message}\n`, exitCode: error.code };
      throw error;
    }
  });
}

function shellOf(args: string[], context: ResolvedCommandContext): Shell {
  const { fs, cwd } = context;
  // A byte string is a string with a brand that hides it.
  const stdin = (): Uint8Array => bytesOfByteString(String(context.stdin));
  const path = (given: string): string => fs.resolvePath(cwd, given);
  return {
    args,
    fs,
    cwd,
    context,
    stdin,
    path,
    async read(given) {
      if (given === "-") return stdin();
      let bytes: Uint8Array;
      try {
        bytes = await fs.readFileBuffer(path(given));
      } catch (error) {
        throw new Failure(`${given}: ${reason(error)}`);
      }
      await taken(bytes.length, context.signal);
      return bytes;
    },
    line: () => line(context.signal),
  };
}

/** Lines without their ends; a text that ends without a newline has a last line too. */
export function linesOf(text: string, end = "\n"): string[] {
  const lines = text.split(end);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** The lines of a file. */
export async function linesIn(shell: Shell, path: string): Promise<string[]> {
  return linesOf(textOf(await shell.read(path)));
}

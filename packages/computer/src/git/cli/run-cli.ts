/** One command line: its global options, its verb, and what comes out. */

import { FsError } from "@cloudflare/dofs";
import { absolutePath } from "../../files/absolute-path.ts";
import { CommandFailure, GitError, MissingIdentityError } from "../git-error.ts";
import type { Network } from "../remote/network.ts";
import { discover } from "../repository/discover.ts";
import { Repository, type Surroundings } from "../repository/repository.ts";
import { CommandContext } from "./command.ts";
import { COMMANDS, RAW_COMMANDS } from "./commands.ts";
import { parseFlags } from "./flags.ts";
import { VERBS_NOT_DONE } from "./verbs-not-done.ts";

export interface GitCliInput {
  /** What stands after `git`. */
  argv: string[];
  /** Default `/workspace`. */
  cwd?: string | undefined;
  env?: Record<string, string> | undefined;
  stdin?: string | undefined;
}

export interface GitCliResult {
  stdout: string;
  stderr: string;
  exitCode: number;
}

/** What a command line is run in. */
export interface CliHost {
  readonly network: Network;
  surroundings(env: Readonly<Record<string, string>>, settings: readonly string[]): Surroundings;
  /** Runs a step that happens as a whole or not at all. */
  step<T>(work: () => T): T;
}

const WORKSPACE = "/workspace";
const VERSION = "2.39.5";

interface Globals {
  cwd: string;
  readonly settings: string[];
  gitDir: string | undefined;
  workTree: string | undefined;
  rest: readonly string[];
}

export async function runCli(
  host: CliHost,
  { argv, cwd = WORKSPACE, env = {}, stdin = "" }: GitCliInput,
): Promise<GitCliResult> {
  let context: CommandContext | undefined;
  try {
    const globals = parseGlobals(argv, cwd);
    const [verb, ...words] = globals.rest;
    if (verb === "--version" || verb === "version")
      return { stdout: `git version ${VERSION} (@cloudflare/computer)\n`, stderr: "", exitCode: 0 };
    if (verb === undefined || verb === "--help" || verb === "help" || verb === "-h") {
      return { stdout: helpText(), stderr: "", exitCode: verb === undefined ? 1 : 0 };
    }
    const command = COMMANDS[verb];
    if (command === undefined && VERBS_NOT_DONE.has(verb)) {
      return { stdout: "", stderr: `fatal: unsupported: git ${verb}\n`, exitCode: 128 };
    }
    if (command === undefined)
      return { stdout: "", stderr: `git: '${verb}' is not a git command. See 'git --help'.\n`, exitCode: 1 };
    const surroundings = host.surroundings(env, globals.settings);
    const here = surroundings.files.real(globals.cwd);
    if (!surroundings.files.isDirectory(here) && globals.cwd !== WORKSPACE) {
      return {
        stdout: "",
        stderr: `fatal: cannot change to '${globals.cwd}': No such file or directory\n`,
        exitCode: 128,
      };
    }
    surroundings.files.guarded = here;
    const open = (): Repository =>
      new Repository(
        discover(surroundings.files, here, { env, gitDir: globals.gitDir, workTree: globals.workTree }),
        surroundings,
      );
    context = new CommandContext({
      cwd: here,
      stdin,
      network: host.network,
      open,
      step: (work) => host.step(work),
      surroundings,
    });
    const raw = RAW_COMMANDS[verb];
    const running = context;
    if (command.runAsync !== undefined) {
      const args = parseFlags(verb, command.usage, command.flags, words);
      const code = await command.runAsync(running, args);
      return resultOf(running, code ?? 0);
    }
    const code = host.step(() => {
      const done =
        raw === undefined
          ? command.run!(running, parseFlags(verb, command.usage, command.flags, words))
          : raw(running, words);
      running.save();
      return done;
    });
    return resultOf(running, code ?? 0);
  } catch (error) {
    return failureOf(error, context);
  }
}

function resultOf({ stdout, stderr }: CommandContext, exitCode: number): GitCliResult {
  return { stdout, stderr, exitCode };
}

/** What a failure says, in git's words where it has some. */
function failureOf(error: unknown, context: CommandContext | undefined): GitCliResult {
  const said = context?.stderr ?? "";
  const stdout = context?.stdout ?? "";
  if (error instanceof MissingIdentityError) {
    return {
      stdout,
      stderr: `${said}Author identity unknown\n\n*** Please tell me who you are.\n\nRun\n\n  git config --global user.email "you@example.com"\n  git config --global user.name "Your Name"\n\nto set your account's default identity.\nOmit --global to set the identity only in this repository.\n\nfatal: unable to auto-detect email address\n`,
      exitCode: 128,
    };
  }
  if (error instanceof CommandFailure) {
    return { stdout: stdout + error.stdout, stderr: said + error.stderr, exitCode: error.exitCode };
  }
  if (error instanceof GitError) {
    const words = "stderr" in error && typeof error.stderr === "string" ? error.stderr : `fatal: ${error.message}\n`;
    return { stdout, stderr: said + words, exitCode: error.exitCode };
  }
  if (error instanceof FsError) return { stdout, stderr: `${said}fatal: ${error.message}\n`, exitCode: 128 };
  throw error;
}

function parseGlobals(argv: readonly string[], cwd: string): Globals {
  const globals: Globals = {
    cwd: absolutePath(WORKSPACE, cwd),
    settings: [],
    gitDir: undefined,
    workTree: undefined,
    rest: [],
  };
  let at = 0;
  const next = (name: string): string => {
    const value = argv[++at];
    if (value === undefined)
      throw new CommandFailure(
        "EUSAGE",
        `no value given for '${name}'\nusage: git [-C <path>] [-c <name>=<value>] <command> [<args>]`,
        129,
      );
    return value;
  };
  for (; at < argv.length; at++) {
    const word = argv[at]!;
    if (word === "-C") {
      const value = next("-C");
      if (value !== "") globals.cwd = absolutePath(globals.cwd, value);
    } else if (word === "-c") globals.settings.push(next("-c"));
    else if (word === "--git-dir") globals.gitDir = absolutePath(globals.cwd, next(word));
    else if (word.startsWith("--git-dir=")) globals.gitDir = absolutePath(globals.cwd, word.slice(10));
    else if (word === "--work-tree") globals.workTree = absolutePath(globals.cwd, next(word));
    else if (word.startsWith("--work-tree=")) globals.workTree = absolutePath(globals.cwd, word.slice(12));
    else if (
      ["--no-pager", "-P", "-p", "--paginate", "--no-optional-locks", "--no-replace-objects", "--no-advice"].includes(
        word,
      )
    )
      continue;
    else if (word.startsWith("-") && !["--version", "--help", "-h", "-v"].includes(word)) {
      throw new CommandFailure(
        "EUSAGE",
        `unknown option: ${word}\nusage: git [-C <path>] [-c <name>=<value>] <command> [<args>]`,
        129,
      );
    } else break;
  }
  globals.rest = argv[at] === "-v" ? ["--version"] : argv.slice(at);
  return globals;
}

function helpText(): string {
  return `usage: git [-C <path>] [-c <name>=<value>] <command> [<args>]\n\nCommands: ${Object.keys(COMMANDS).join(", ")}\n`;
}

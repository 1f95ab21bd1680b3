/** What the interpreter asks of us at its seams: live output, pauses, traps and the builtins that it lacks. */

import { pausesSoFar } from "./breath.ts";
import {
  bytesOf,
  bytesOfByteString,
  decodeBytesToUtf8,
  decodedTextFromResult,
  encodeUtf8ToBytes,
  stdoutAsBytes,
  textOf,
} from "./byte-string.ts";

export { line } from "./breath.ts";
export { reason } from "./reason.ts";

/** What a command or statement gave. */
export interface Result {
  stdout: string;
  stderr: string;
  exitCode: number;
  stdoutKind?: "text" | "bytes";
  stdoutEncoding?: "binary";
  internalOutputAccounting?: { stdout: number; stderr: number };
}

/** Where a run's output goes as it is produced, and what must know when the run has waited. */
export interface Engine {
  write(stream: "stdout" | "stderr", bytes: Uint8Array): void;
  /** The words of the command that reads what the one that runs says, where a pipe goes from one to the other. */
  reader?: string[] | undefined;
  /** Others may have run meanwhile: what is remembered of the files may be old. */
  waited(): void;
  /** How often commands had paused when that was last said. */
  pauses?: number;
}

/** The part of the interpreter's own context that is used here. */
export interface Context {
  /** Of the outermost script only: what runs below a command gives its output to that command. */
  live?: Engine | undefined;
  engine?: Engine | undefined;
  /** How many redirections, pipes and such stand between here and the run's own output. */
  captured?: number;
  /** `exec` has run what the shell gives way to. */
  leaving?: boolean;
  traps?: Map<number, string>;
  scripts?: Map<number, number>;
  readonly state: {
    readonly bashPid: number;
    readonly virtualPid: number;
    readonly suppressVerbose?: boolean;
    readonly env: Map<string, string>;
    lastExitCode: number;
  };
  executeScript(script: unknown): Promise<Result>;
}

/** An error that carries what was said before it. */
interface Carrier extends Error {
  stdout: string;
  stderr: string;
  exitCode: number;
}

interface Interpreter {
  ExitError: new (exitCode: number, stdout?: string, stderr?: string) => Carrier;
  parse(source: string): unknown;
}

interface Redirection {
  readonly operator: string;
}

let interpreter: Interpreter;

/** Called by the interpreter once, with the parts of it that are needed here. */
export function setup(parts: Interpreter): void {
  interpreter = parts;
}

/** Statements between two pauses, in which timers run and a kill arrives. */
const STATEMENTS_A_PAUSE = 256;
let statements = 0;

/** Called before each statement. */
export function tick(context: Context): Promise<void> | undefined {
  const { engine } = context;
  if (engine !== undefined && engine.pauses !== pausesSoFar()) {
    if (engine.pauses !== undefined) engine.waited();
    engine.pauses = pausesSoFar();
  }
  if (++statements % STATEMENTS_A_PAUSE !== 0) return undefined;
  return pause(context);
}

async function pause(context: Context): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 0));
  context.engine?.waited();
}

/** Called with what a pipeline gave, after its redirections: sends it off where nothing stands between it and the run's output. */
export function emit<R extends Result>(context: Context, result: R, several = false): R {
  const left = sent(context, result);
  if (context.leaving !== true) return left;
  context.leaving = false;
  // One command of a pipeline is a shell of its own, and only that one ends.
  if (several) return left;
  throw new interpreter.ExitError(left.exitCode, decodedTextFromResult(left), left.stderr);
}

function sent<R extends Result>(context: Context, result: R): R {
  if (!live(context)) return result;
  if (result.stdout !== "") context.live?.write("stdout", bytesOfByteString(stdoutAsBytes(result)));
  if (result.stderr !== "") context.live?.write("stderr", bytesOf(result.stderr));
  return { ...result, stdout: "", stderr: "", internalOutputAccounting: { stdout: 0, stderr: 0 } };
}

/** Whether nothing stands between what is said here and the run's own output. */
function live(context: Context): boolean {
  return context.live !== undefined && (context.captured ?? 0) === 0 && context.state.suppressVerbose !== true;
}

/** Called between statements with what was gathered outside of pipelines, e.g. the words of an expansion that failed. */
export function flush(context: Context, gathered: { stdoutChunks: string[]; stderrChunks: string[] }): void {
  if (!live(context) || gathered.stdoutChunks.length + gathered.stderrChunks.length === 0) return;
  sent(context, { stdout: gathered.stdoutChunks.join(""), stderr: gathered.stderrChunks.join(""), exitCode: 0 });
  gathered.stdoutChunks.length = 0;
  gathered.stderrChunks.length = 0;
}

/** Whether the name of a command is an expansion, which gives words and not a word. */
export function splits(name: { parts: readonly { type: string }[] }): boolean {
  return name.parts.some(({ type }) => type === "ParameterExpansion" || type === "CommandSubstitution");
}

/** Runs something whose output another takes. */
export async function captured<T>(
  context: Context,
  taken: boolean,
  work: () => Promise<T>,
  reader?: unknown,
): Promise<T> {
  if (!taken) return work();
  if (context.engine !== undefined) context.engine.reader = reader === undefined ? undefined : wordsOf(reader);
  context.captured = (context.captured ?? 0) + 1;
  try {
    return await work();
  } finally {
    context.captured--;
  }
}

/** The plain words of a simple command; empty where it is another kind, or its words are yet to be expanded. */
function wordsOf(command: unknown): string[] {
  const { type, name, args } = command as { type: string; name?: Word | null; args?: Word[] };
  if (type !== "SimpleCommand" || !name) return [];
  const words = [name, ...(args ?? [])].map(({ parts }) => (parts.length === 1 ? parts[0]?.value : undefined));
  return words.every((word) => word !== undefined) ? words : [];
}

interface Word {
  readonly parts: readonly { readonly value?: string }[];
}

/** Runs something under redirections. */
export function redirected<T>(
  context: Context,
  redirections: readonly Redirection[],
  work: () => Promise<T>,
): Promise<T> {
  return captured(
    context,
    redirections.some(({ operator }) => !operator.startsWith("<") || operator === "<>"),
    work,
  );
}

/** Runs the statements of a shell, then its EXIT trap where they are all of it. */
export async function script<R extends Result>(context: Context, work: () => Promise<R>): Promise<R> {
  const pid = context.state.bashPid;
  context.scripts ??= new Map();
  const { scripts } = context;
  scripts.set(pid, (scripts.get(pid) ?? 0) + 1);
  try {
    const result = await work();
    return await leave(context, pid, result);
  } catch (error) {
    if (!(error instanceof interpreter.ExitError)) throw error;
    const { stdout, stderr, exitCode } = await leave(context, pid, {
      stdout: "",
      stderr: "",
      exitCode: error.exitCode,
    });
    throw new interpreter.ExitError(exitCode, error.stdout + stdout, error.stderr + stderr);
  } finally {
    scripts.set(pid, (scripts.get(pid) ?? 1) - 1);
  }
}

async function leave<R extends Result>(context: Context, pid: number, result: R): Promise<R> {
  const action = context.traps?.get(pid);
  if (action === undefined || context.scripts?.get(pid) !== 1) return result;
  context.traps?.delete(pid);
  context.state.lastExitCode = result.exitCode;
  context.state.env.set("?", String(result.exitCode));
  try {
    const said = await context.executeScript(interpreter.parse(action));
    return joined(result, said, result.exitCode);
  } catch (error) {
    if (error instanceof interpreter.ExitError) return joined(result, error, error.exitCode);
    throw error;
  }
}

function joined<R extends Result>(result: R, more: { stdout: string; stderr: string }, exitCode: number): R {
  const stdout = (result.stdoutKind === "bytes" ? decodeBytesToUtf8(result.stdout) : result.stdout) + more.stdout;
  return {
    ...result,
    stdout,
    stdoutKind: "text",
    stdoutEncoding: undefined,
    stderr: result.stderr + more.stderr,
    exitCode,
  };
}

/** Text and bytes that meet in one stream take the form of that stream. */
export const toBytes: (text: string) => string = encodeUtf8ToBytes;
export const toText: (bytes: string) => string = decodeBytesToUtf8;

/** A byte that an escape names, in text. */
export function byte(value: number): string {
  return String.fromCharCode(value < 0x80 ? value : 0xdc00 + value);
}

/** Bytes that escapes name, in text. */
export function textOfBytes(values: readonly number[]): string {
  return textOf(Uint8Array.from(values));
}

/** What sed puts in place of a match: `&`, `\\1` and the rest, and the cases that `\\U` and its like turn it to. */
export function substitution(replacement: string, match: string, groups: readonly (string | undefined)[]): string {
  let out = "";
  let mode = "";
  let once = "";
  const put = (text: string): void => {
    if (text === "") return;
    const turned = mode === "U" ? text.toUpperCase() : mode === "L" ? text.toLowerCase() : text;
    const [first = "", ...rest] = turned;
    out += once === "" ? turned : (once === "u" ? first.toUpperCase() : first.toLowerCase()) + rest.join("");
    once = "";
  };
  for (let at = 0; at < replacement.length; at++) {
    const character = replacement[at] ?? "";
    const next = replacement[at + 1];
    if (character === "&") put(match);
    else if (character !== "\\" || next === undefined) put(character);
    else {
      at++;
      if (/\d/.test(next)) put(next === "0" ? match : (groups[Number(next) - 1] ?? ""));
      else if (next === "U" || next === "L" || next === "E") {
        mode = next === "E" ? "" : next;
        once = "";
      } else if (next === "u" || next === "l") once = next;
      else put({ n: "\n", t: "\t", r: "\r" }[next] ?? next);
    }
  }
  return out;
}

/** A builtin that the interpreter lacks; undefined where there is none of this name. */
export function builtin(context: Context, name: string, args: readonly string[]): Result | undefined {
  if (name === "trap") return trap(context, args);
  if (name === "kill") return kill(context, args);
  if (name === "umask")
    return args.length === 0 ? said("0022\n") : failed("umask: setting it is not supported in this shell\n", 2);
  if (
    name === "ulimit" ||
    name === "jobs" ||
    name === "disown" ||
    name === "fg" ||
    name === "bg" ||
    name === "suspend"
  ) {
    return name === "jobs" ? said("") : failed(`${name}: not supported in this shell\n`, 2);
  }
  return undefined;
}

const SIGNALS: Readonly<Record<string, number>> = {
  HUP: 1,
  INT: 2,
  QUIT: 3,
  KILL: 9,
  USR1: 10,
  USR2: 12,
  PIPE: 13,
  ALRM: 14,
  TERM: 15,
};

function signalNumber(text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text);
  return SIGNALS[text.replace(/^SIG/i, "").toUpperCase()];
}

function trap(context: Context, args: readonly string[]): Result {
  context.traps ??= new Map();
  const { traps } = context;
  const pid = context.state.bashPid;
  const [action, ...signals] = args[0] === "--" ? args.slice(1) : args;
  if (action === undefined || action === "-p") {
    const set = traps.get(pid);
    return said(set === undefined ? "" : `trap -- '${set.replaceAll("'", "'\\''")}' EXIT\n`);
  }
  if (action === "-l") return failed("trap: -l: not supported in this shell\n", 2);
  const [reset, names] = signals.length === 0 ? [true, [action]] : [action === "-", signals];
  for (const name of names) {
    const plain = name.replace(/^SIG/i, "").toUpperCase();
    if (plain === "EXIT" || plain === "0") {
      if (reset) traps.delete(pid);
      else traps.set(pid, action);
    } else if (["ERR", "DEBUG", "RETURN"].includes(plain)) {
      return failed(`bash: trap: ${name}: not supported in this shell; EXIT is\n`, 2);
    } else if (signalNumber(name) === undefined) {
      return failed(`bash: trap: ${name}: invalid signal specification\n`, 1);
    }
  }
  return said("");
}

function kill(context: Context, args: readonly string[]): Result {
  let signal = 15;
  let rest = [...args];
  const option = rest[0] ?? "";
  if (option === "-l" || option === "-L") return failed("bash: kill: -l: not supported in this shell\n", 2);
  if (option === "-s" || option === "-n" || /^-./.test(option)) {
    const name = option === "-s" || option === "-n" ? (rest[1] ?? "") : option.slice(1);
    const number = signalNumber(name);
    if (number === undefined) return failed(`bash: kill: ${name}: invalid signal specification\n`, 1);
    signal = number;
    rest = rest.slice(option === "-s" || option === "-n" ? 2 : 1);
  }
  if (rest.length === 0)
    return failed("kill: usage: kill [-s sigspec | -n signum | -sigspec] pid | jobspec ... or kill -l [sigspec]\n", 2);
  for (const pid of rest) {
    if (!/^-?\d+$/.test(pid)) return failed(`bash: kill: ${pid}: arguments must be process or job IDs\n`, 1);
    if (Number(pid) !== context.state.virtualPid && Number(pid) !== context.state.bashPid) {
      return failed(`bash: kill: (${pid}) - No such process\n`, 1);
    }
    if (signal === 0) continue;
    // A killed shell runs no trap.
    if (signal === 9) context.traps?.delete(context.state.bashPid);
    throw new interpreter.ExitError(128 + signal);
  }
  return said("");
}

function said(stdout: string): Result {
  return { stdout, stderr: "", exitCode: 0 };
}

function failed(stderr: string, exitCode: number): Result {
  return { stdout: "", stderr, exitCode };
}

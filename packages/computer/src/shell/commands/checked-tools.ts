/** Tools of just-bash behind a look at their command line: what they would get wrong without a word is refused, or made right first. */

import { type CustomCommand, defineCommand, type ExecResult, type ResolvedCommandContext } from "just-bash";
import type { RemoteFiles } from "../files/remote-files.ts";

export function checkedTools(files: RemoteFiles | undefined): CustomCommand[] {
  return [
    checked("awk", awk),
    checked("sed", sed),
    checked("rm", rm),
    checked("cp", cp),
    checked("mkdir", mkdir),
    checked("expr", async (args, context) => {
      const at = args.indexOf(":");
      if (at >= 0 && /\\[(){}|+?]/.test(args[at + 1] ?? ""))
        return refused("expr", "groups in a pattern are not supported in this shell");
      return original(context, args);
    }),
    checked("find", async (args, context) => {
      const known = args.find((arg) => ["-newer", "-size", "-perm", "-anewer", "-cnewer", "-samefile"].includes(arg));
      const value = args[args.indexOf(known ?? "") + 1] ?? "";
      if (known === "-size" && /^[-+]?\d+[kMG]$/.test(value) && value.startsWith("-")) {
        return refused("find", `-size ${value}: sizes in units are not supported in this shell; use -size -N with c`);
      }
      if (known === "-newer" && !(await context.fs.exists(context.fs.resolvePath(context.cwd, value)))) {
        return refused("find", `'${value}': No such file or directory`);
      }
      for (const arg of startsOf(args))
        await files?.prefetch(context.fs.resolvePath(context.cwd, arg), { contents: false });
      return original(context, args);
    }),
  ];
}

/** Adds what `rm`, `cp` and `mkdir` lack. */
async function rm(args: string[], context: ResolvedCommandContext): Promise<ExecResult> {
  const plain = args.filter((arg) => !arg.startsWith("-") || arg === "-");
  const links: string[] = [];
  for (const arg of plain) {
    const stat = await context.fs.lstat(context.fs.resolvePath(context.cwd, arg)).catch(() => undefined);
    if (stat?.isSymbolicLink === true && !arg.endsWith("/")) links.push(arg);
  }
  // A link goes itself, whatever it leads to.
  for (const link of links) await context.fs.rm(context.fs.resolvePath(context.cwd, link));
  const said = args.some((arg) => /^-[a-zA-Z]*v/.test(arg) || arg === "--verbose")
    ? links.map((link) => `removed '${link}'\n`).join("")
    : "";
  if (links.length > 0 && links.length === plain.length) return { stdout: said, stderr: "", exitCode: 0 };
  const result = await original(
    context,
    args.filter((arg) => !links.includes(arg)),
  );
  return { ...result, stdout: said + result.stdout };
}

async function cp(args: string[], context: ResolvedCommandContext): Promise<ExecResult> {
  const given = args.map((arg) => (arg === "-a" || arg === "--archive" ? "-rp" : arg));
  if (given.some((arg) => /^-[a-zA-Z]*v|^--verbose$/.test(arg)))
    return refused("cp", "-v is not supported in this shell", 1);
  return original(context, given);
}

async function mkdir(args: string[], context: ResolvedCommandContext): Promise<ExecResult> {
  const at = args.findIndex((arg) => arg === "-m" || /^--mode=|^-m./.test(arg));
  if (at < 0) return original(context, args);
  const own = args[at] ?? "";
  const mode = own === "-m" ? (args[at + 1] ?? "") : own.replace(/^--mode=|^-m/, "");
  if (!/^[0-7]{3,4}$/.test(mode)) return refused("mkdir", `invalid mode '${mode}'; this shell has octal modes`, 1);
  const rest = args.filter((_, index) => index !== at && !(own === "-m" && index === at + 1));
  const result = await original(context, rest);
  if (result.exitCode !== 0) return result;
  for (const arg of rest)
    if (!arg.startsWith("-"))
      await context.fs.chmod(context.fs.resolvePath(context.cwd, arg), Number.parseInt(mode, 8));
  return result;
}

/** Where a `find` begins: what comes before its first test. */
function startsOf(args: readonly string[]): string[] {
  const end = args.findIndex((arg) => /^[-(!]/.test(arg));
  const starts = end < 0 ? args : args.slice(0, end);
  return starts.length > 0 ? [...starts] : ["."];
}

type Run = (args: string[], context: ResolvedCommandContext) => Promise<ExecResult>;

function checked(name: string, run: Run): CustomCommand {
  return defineCommand(name, run);
}

async function original(context: ResolvedCommandContext, args: string[]): Promise<ExecResult> {
  if (context.origCommand === undefined) throw new Error("the command is not there");
  return context.origCommand(args);
}

function refused(name: string, why: string, exitCode = 2): ExecResult {
  return { stdout: "", stderr: `${name}: ${why}\n`, exitCode };
}

async function awk(args: string[], context: ResolvedCommandContext): Promise<ExecResult> {
  const given = [...args];
  const file = given.indexOf("-f");
  if (file >= 0) {
    const path = given[file + 1] ?? "";
    const text = await context.fs.readFile(context.fs.resolvePath(context.cwd, path)).catch(() => undefined);
    if (text === undefined) return refused("awk", `cannot open ${path} (No such file or directory)`);
    given.splice(file, 2);
    given.splice(firstOperand(given), 0, text);
  }
  const at = firstOperand(given);
  const program = given[at] ?? "";
  const code = program.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  if (/\bRS\s*=/.test(code) || given.some((arg) => /^RS=/.test(arg)))
    return refused("awk", "RS is not supported in this shell");
  // `length` alone is the length of the record.
  given[at] = program.replace(/"(?:[^"\\]|\\.)*"|\blength\b(?!\s*\()/g, (found) =>
    found === "length" ? "length($0)" : found,
  );
  const result = await original(context, given);
  if (result.exitCode === 1 && result.stderr.startsWith("awk: ")) return { ...result, exitCode: 2 };
  const said = await context.fs.readFile("/dev/stderr").catch(() => "");
  if (said === "") return result;
  await context.fs.rm("/dev/stderr", { force: true });
  return { ...result, stderr: result.stderr + said };
}

/** Where the program of an awk stands. */
function firstOperand(args: readonly string[]): number {
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg === "--") return at + 1;
    if (arg === "-F" || arg === "-v") at++;
    else if (!/^-[Fv]./.test(arg) && !arg.startsWith("-")) return at;
  }
  return args.length;
}

async function sed(args: string[], context: ResolvedCommandContext): Promise<ExecResult> {
  const given: string[] = [];
  let suffix = "";
  for (const arg of args) {
    const expression = /^--expression=(.*)$/s.exec(arg)?.[1];
    const inPlace = /^(?:-i|--in-place=)(.+)$/.exec(arg)?.[1];
    if (expression !== undefined) given.push("-e", expression);
    else if (inPlace !== undefined && /^\.?[\w~]+$/.test(inPlace) && !/^[nEres]+$/.test(inPlace)) {
      suffix = inPlace;
      given.push("-i");
    } else given.push(arg);
  }
  const expressions = given.flatMap((arg, at) => (given[at - 1] === "-e" ? [arg] : []));
  const operands = given.filter((arg, at) => !arg.startsWith("-") && given[at - 1] !== "-e" && given[at - 1] !== "-f");
  const hasScript = expressions.length > 0 || given.includes("-f");
  const script = hasScript ? expressions : operands.slice(0, 1);
  for (const text of script) {
    const broken = unterminated(text);
    if (broken) return refused("sed", `-e expression #1, char ${text.length}: unterminated \`s' command`, 1);
    if (/\/(?:[^/\n\\]|\\[^\n])*\\\((?:[^/\n])*\\[1-9][^/\n]*\/[^/]*$/.test(text) && !/^s|[;{]\s*s/.test(text)) {
      return refused("sed", "a back-reference in an address is not supported in this shell");
    }
  }
  if (suffix !== "") {
    for (const path of hasScript ? operands : operands.slice(1)) {
      const at = context.fs.resolvePath(context.cwd, path);
      if (await context.fs.exists(at))
        await context.fs.writeFile(`${at}${suffix}`, await context.fs.readFileBuffer(at));
    }
  }
  const result = await original(context, given);
  const missing = /^sed: (.+): No such file or directory$/m.test(result.stderr);
  if (!missing || result.exitCode !== 1 || /couldn't open file/.test(result.stderr)) return result;
  return {
    ...result,
    stderr: result.stderr.replace(/^sed: (.+: No such file or directory)$/gm, "sed: can't read $1"),
    exitCode: 2,
  };
}

/** Whether a script is one `s` command without its last delimiter. */
function unterminated(script: string): boolean {
  const match = /^\s*s([^\s\w\\])/.exec(script);
  if (match === null || script.includes("\n")) return false;
  const delimiter = match[1] ?? "/";
  let count = 0;
  let inClass = false;
  for (let at = script.indexOf(delimiter); at < script.length; at++) {
    const character = script[at];
    if (character === "\\") at++;
    else if (count === 1 && character === "[") inClass = true;
    else if (inClass && character === "]") inClass = false;
    else if (character === delimiter && !inClass) count++;
  }
  return count < 3 && !inClass;
}

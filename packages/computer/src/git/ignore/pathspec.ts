/** Which paths a command is about: what stands after its options, each a path, a directory, or a pattern. */

import { absolutePath } from "../../files/absolute-path.ts";
import { isWithin, joined } from "../files/repository-path.ts";
import { fatal, UnsupportedError } from "../git-error.ts";
import { wildmatch } from "./wildmatch.ts";

interface Item {
  readonly given: string;
  /** From the top of the work tree; empty for all of it. */
  readonly path: string;
  readonly pattern: boolean;
  readonly excluded: boolean;
  readonly ignoreCase: boolean;
  readonly glob: boolean;
  readonly directory: boolean;
}

export class Pathspec {
  readonly items: readonly Item[];

  constructor(items: readonly Item[]) {
    this.items = items;
  }

  /** Says nothing about paths: all match. */
  get isEmpty(): boolean {
    return this.items.length === 0;
  }

  /** Whether a path is meant; `used` collects which of the items meant it. */
  matches(path: string, used?: Set<string>): boolean {
    if (this.isEmpty) return true;
    const included = this.items.filter(({ excluded }) => !excluded);
    let found = included.length === 0;
    for (const item of included) {
      if (!matchesItem(item, path)) continue;
      found = true;
      used?.add(item.given);
    }
    return found && !this.items.some((item) => item.excluded && matchesItem(item, path));
  }

  /** Whether anything under a directory could be meant. */
  mayMatchUnder(directory: string): boolean {
    if (this.isEmpty || directory === "") return true;
    return this.items.some((item) => {
      if (item.excluded) return true;
      const prefix = item.pattern ? literalPrefix(item.path) : item.path;
      return (
        isWithin(directory, prefix) ||
        isWithin(prefix, directory) ||
        (item.pattern && prefix.startsWith(directory)) ||
        (item.pattern && directory.startsWith(prefix))
      );
    });
  }

  /** Those of the items that no path was found for. */
  unused(used: ReadonlySet<string>): string[] {
    return this.items.filter(({ given, excluded }) => !excluded && !used.has(given)).map(({ given }) => given);
  }
}

/** The pathspec of these arguments, given from a directory. `EFATAL` for one outside of the work tree. */
export function pathspecOf(args: readonly string[], cwd: string, workTree: string): Pathspec {
  return new Pathspec(args.map((given) => itemOf(given, cwd, workTree)));
}

function itemOf(given: string, cwd: string, workTree: string): Item {
  let rest = given;
  let [excluded, top, literal, ignoreCase, glob] = [false, false, false, false, false];
  const long = /^:\(([^)]*)\)/.exec(rest);
  if (long !== null) {
    rest = rest.slice(long[0].length);
    for (const word of long[1]!.split(",").filter((each) => each !== "")) {
      if (word === "exclude") excluded = true;
      else if (word === "top") top = true;
      else if (word === "literal") literal = true;
      else if (word === "icase") ignoreCase = true;
      else if (word === "glob") glob = true;
      else throw new UnsupportedError(`the pathspec magic '${word}' in '${given}'`);
    }
  } else if (/^:[!^/]/.test(rest)) {
    const short = /^:([!^/]+):?/.exec(rest)!;
    excluded = /[!^]/.test(short[1]!);
    top = short[1]!.includes("/");
    rest = rest.slice(short[0].length);
  }
  if (given === "")
    throw fatal("empty string is not a valid pathspec. please use . instead if you meant to match all paths");
  const absolute = absolutePath(top ? workTree : cwd, rest === "" ? "." : rest);
  if (!isWithin(absolute, workTree === "/" ? "" : workTree)) {
    throw fatal(`${given}: '${given}' is outside repository at '${workTree}'`, "EPATHOUTSIDE");
  }
  const path = workTree === "/" ? absolute.slice(1) : absolute.slice(workTree.length + 1);
  return {
    given,
    path,
    pattern: !literal && /[*?[\\]/.test(path),
    excluded,
    ignoreCase,
    glob,
    directory: rest.endsWith("/"),
  };
}

function matchesItem({ path: wanted, pattern, ignoreCase, glob, directory }: Item, path: string): boolean {
  if (wanted === "") return true;
  if (directory && path === wanted) return false;
  if (isWithin(path, wanted)) return true;
  if (ignoreCase && isWithin(path.toLowerCase(), wanted.toLowerCase())) return true;
  if (!pattern) return false;
  if (wildmatch(wanted, path, { pathname: glob, ignoreCase })) return true;
  // A pattern that matches a directory means all that is in it.
  return !glob && wildmatch(joined(wanted, "*"), path, { ignoreCase });
}

function literalPrefix(pattern: string): string {
  return pattern.slice(0, pattern.search(/[*?[\\]/));
}

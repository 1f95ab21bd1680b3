/** Which files `grep` goes through. */

import type { Shell } from "./command.ts";
import { globMatcher } from "./glob-matcher.ts";
import type { Parsed } from "./options.ts";

/** Every file below a directory, by the path that it is told under. Links are followed with `-R` only. */
export async function* below(shell: Shell, told: string, at: string, options: Parsed): AsyncGenerator<string> {
  const wanted = filterOf(options);
  const visit = async function* (name: string, directory: string): AsyncGenerator<string> {
    const entries = (await shell.fs.readdirWithFileTypes?.(directory)) ?? [];
    for (const entry of entries) {
      const path = name === "" ? entry.name : `${name.replace(/\/$/, "")}/${entry.name}`;
      const child = `${directory === "/" ? "" : directory}/${entry.name}`;
      let { isDirectory: directoryHere, isFile } = entry;
      if (entry.isSymbolicLink && options.has("R")) {
        const stat = await shell.fs.stat(child).catch(() => undefined);
        directoryHere = stat?.isDirectory === true;
        isFile = stat?.isFile === true;
      }
      if (directoryHere) {
        if (wanted.directory(entry.name)) yield* visit(path, child);
      } else if (isFile && wanted.file(entry.name)) {
        yield path;
      }
    }
  };
  yield* visit(told, at);
}

/** Of files by their paths from a directory, those that the command line wants, by the paths that they are told under. */
export function* kept(found: readonly string[], told: string, wanted: Wanted): Generator<string> {
  for (const path of found) {
    const names = path.split("/");
    const name = names.pop() ?? "";
    if (wanted.file(name) && names.every((directory) => wanted.directory(directory))) {
      yield told === "" ? path : `${told.replace(/\/$/, "")}/${path}`;
    }
  }
}

/** What the options leave in. */
export interface Wanted {
  file(name: string): boolean;
  directory(name: string): boolean;
}

/** `--include`, `--exclude` and `--exclude-dir` together. */
export function filterOf(options: Parsed): Wanted {
  const rules = options.order
    .filter(([name]) => name === "include" || name === "exclude")
    .map(([name, glob]) => ({ include: name === "include", matches: globMatcher(glob) }));
  const closed = (options.given.get("exclude-dir") ?? []).map((glob) => globMatcher(glob.replace(/\/$/, "")));
  return {
    file(name) {
      const rule = rules.findLast(({ matches }) => matches(name));
      return rule === undefined ? rules.length === 0 || rules[0]?.include === false : rule.include;
    },
    directory: (name) => !closed.some((matches) => matches(name)),
  };
}

/** Finds the repository that a directory is in. */

import { absolutePath } from "../../files/absolute-path.ts";
import type { GitFiles } from "../files/git-files.ts";
import { CommandFailure, fatal, NotARepositoryError } from "../git-error.ts";
import { ConfigFile } from "./config-file.ts";
import type { Environment } from "./identity.ts";
import type { RepositoryPlace } from "./repository.ts";

export interface DiscoverOptions {
  readonly env?: Environment | undefined;
  /** `--git-dir` and `--work-tree`, absolute. */
  readonly gitDir?: string | undefined;
  readonly workTree?: string | undefined;
}

/** The repository of an absolute directory, or of the nearest one above it. `ENOTAREPO` where there is none. */
export function discover(files: GitFiles, dir: string, options: DiscoverOptions = {}): RepositoryPlace {
  const { env = {} } = options;
  const given = options.gitDir ?? (env.GIT_DIR === undefined ? undefined : absolutePath(dir, env.GIT_DIR));
  const tree = options.workTree ?? (env.GIT_WORK_TREE === undefined ? undefined : absolutePath(dir, env.GIT_WORK_TREE));
  if (given !== undefined) {
    const gitDir = throughFile(files, given) ?? files.real(given);
    if (!isGitDirectory(files, gitDir)) throw notARepository(given, `'${given}'`);
    return placeOf(files, gitDir, tree ?? dir);
  }
  const start = files.real(dir);
  for (let at = start; ; at = absolutePath(at, "..")) {
    const found = at === "/" ? "/.git" : `${at}/.git`;
    const attr = files.stat(found);
    const gitDir = attr === undefined ? undefined : (throughFile(files, found) ?? files.real(found));
    if (gitDir !== undefined && isGitDirectory(files, gitDir)) return placeOf(files, gitDir, tree ?? at);
    if (attr === undefined && isGitDirectory(files, at)) return { ...placeOf(files, at, undefined), workTree: tree };
    if (at === "/") break;
  }
  throw notARepository(dir, "(or any of the parent directories): .git");
}

/** Whether a directory has what a repository needs. */
export function isGitDirectory(files: GitFiles, path: string): boolean {
  if (!files.isDirectory(path)) return false;
  const head = files.stat(`${path}/HEAD`);
  if (head === undefined) return false;
  const common = commonDirOf(files, path);
  return files.isDirectory(`${common}/objects`) && files.isDirectory(`${common}/refs`);
}

/** Where a `.git` file points; `ENOTAREPO` where that is not to be had. */
function throughFile(files: GitFiles, path: string): string | undefined {
  const attr = files.stat(path);
  if (attr?.kind !== "file") return undefined;
  const match = /^gitdir: (.*?)\r?\n?$/.exec(files.text(path) ?? "");
  if (match === null) throw fatal(`invalid gitfile format: ${path}`, NotARepositoryError.code);
  const target = files.real(absolutePath(path.slice(0, path.lastIndexOf("/")), match[1]!));
  if (!isGitDirectory(files, target)) {
    throw new CommandFailure(
      NotARepositoryError.code,
      `fatal: not a git repository: worktree gitdir ${target} not reachable from this workspace`,
    );
  }
  return target;
}

function placeOf(files: GitFiles, gitDir: string, workTree: string | undefined): RepositoryPlace {
  const commonDir = commonDirOf(files, gitDir);
  if (workTree === undefined) return { gitDir, commonDir, workTree };
  const config = new ConfigFile(files.text(`${commonDir}/config`));
  const setting = (name: string): string | undefined => config.settings.findLast((each) => each.name === name)?.value;
  const elsewhere = setting("core.worktree");
  if (elsewhere !== undefined && commonDir === gitDir) {
    return { gitDir, commonDir, workTree: files.real(absolutePath(gitDir, elsewhere)) };
  }
  return {
    gitDir,
    commonDir,
    workTree: setting("core.bare") === "true" && commonDir === gitDir ? undefined : workTree,
  };
}

function commonDirOf(files: GitFiles, gitDir: string): string {
  const common = files.text(`${gitDir}/commondir`)?.trim();
  return common === undefined ? gitDir : files.real(absolutePath(gitDir, common));
}

function notARepository(dir: string, words: string): Error {
  const error = new NotARepositoryError(dir);
  return Object.assign(error, {
    stderr: `fatal: not a git repository${words.startsWith("(") ? ` ${words}` : `: ${words}`}\n`,
  });
}

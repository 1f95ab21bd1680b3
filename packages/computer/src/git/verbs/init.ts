/** `git init`. */

import { absolutePath } from "../../files/absolute-path.ts";
import type { Command } from "../cli/command.ts";
import { AlreadyInitializedError, fatal, UnsupportedError } from "../git-error.ts";
import { ConfigFile } from "../repository/config-file.ts";
import { isGitDirectory } from "../repository/discover.ts";
import { isBranchName } from "../repository/ref-name.ts";
import { globalConfigPath, Repository, type RepositoryPlace, type Surroundings } from "../repository/repository.ts";

export interface GitInitOptions {
  /** Default `/workspace`. */
  dir?: string | undefined;
  /** Default `init.defaultBranch`, then `main`. */
  defaultBranch?: string | undefined;
  bare?: boolean | undefined;
}

const DESCRIPTION = "Unnamed repository; edit this file 'description' to name the repository.\n";
const EXCLUDE = `# git ls-files --others --exclude-from=.git/info/exclude
# Lines that start with '#' are comments.
# For a project mostly in C, the following would be a good set of
# exclude patterns (uncomment them if you want to use them):
# *.[oa]
# *~
`;

/** Makes a repository in a directory, which is made where it is not there. `EALREADYINIT` where there is one. */
export function init(surroundings: Surroundings, options: GitInitOptions & { dir: string }): Repository {
  const { dir, bare = false } = options;
  const place = placeFor(surroundings, dir, bare);
  if (isGitDirectory(surroundings.files, place.gitDir)) throw new AlreadyInitializedError(dir);
  return create(surroundings, place, options.defaultBranch);
}

function placeFor({ files }: Surroundings, dir: string, bare: boolean): RepositoryPlace {
  files.makeDirectory(files.real(dir));
  const top = files.real(dir);
  const gitDir = bare ? top : top === "/" ? "/.git" : `${top}/.git`;
  return { gitDir, commonDir: gitDir, workTree: bare ? undefined : top };
}

function create(surroundings: Surroundings, place: RepositoryPlace, given: string | undefined): Repository {
  const { files, env } = surroundings;
  const { gitDir } = place;
  const setting = new ConfigFile(files.text(globalConfigPath(env))).settings.findLast(
    ({ name }) => name === "init.defaultbranch",
  );
  const branch = given ?? setting?.value ?? "main";
  if (!isBranchName(branch)) throw fatal(`invalid initial branch name: '${branch}'`);
  for (const name of ["objects/info", "objects/pack", "refs/heads", "refs/tags"])
    files.makeDirectory(`${gitDir}/${name}`);
  files.write(`${gitDir}/HEAD`, `ref: refs/heads/${branch}\n`);
  const config = new ConfigFile();
  config.set("core.repositoryformatversion", "0");
  config.set("core.filemode", "true");
  config.set("core.bare", String(place.workTree === undefined));
  if (place.workTree !== undefined) config.set("core.logallrefupdates", "true");
  files.write(`${gitDir}/config`, config.text);
  files.write(`${gitDir}/description`, DESCRIPTION);
  files.write(`${gitDir}/info/exclude`, EXCLUDE);
  return new Repository(place, surroundings);
}

export const initCommand: Command = {
  usage: "[-q | --quiet] [--bare] [-b <branch-name>] [<directory>]",
  flags: [
    "-q --quiet",
    "--bare",
    "-b --initial-branch <name>",
    "--template <dir>",
    "--object-format <format>",
    "--separate-git-dir <dir>",
    "--shared[=<permissions>]",
  ],
  run(context, args) {
    const format = args.value("object-format");
    if (format !== undefined && format !== "sha1")
      throw new UnsupportedError(`objects named by ${format.toUpperCase().replace("SHA", "SHA-")}`);
    if (args.has("separate-git-dir")) throw new UnsupportedError("git init --separate-git-dir");
    const dir = absolutePath(context.cwd, args.everything[0] ?? ".");
    const place = placeFor(context.surroundings, dir, args.has("bare"));
    const there = isGitDirectory(context.surroundings.files, place.gitDir);
    if (!there) create(context.surroundings, place, args.value("initial-branch"));
    else if (args.has("initial-branch"))
      context.err(`warning: re-init: ignored --initial-branch=${args.value("initial-branch")}\n`);
    if (!args.has("quiet"))
      context.line(`${there ? "Reinitialized existing" : "Initialized empty"} Git repository in ${place.gitDir}/`);
  },
};

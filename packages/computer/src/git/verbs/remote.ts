/** `git remote`. */

import type { Command } from "../cli/command.ts";
import { CommandFailure, failed, fatal, GitError } from "../git-error.ts";
import { isRefName } from "../repository/ref-name.ts";
import type { Repository } from "../repository/repository.ts";

export interface GitRemoteAddOptions {
  dir?: string | undefined;
  name: string;
  url: string;
  /** Replaces one of the name. */
  force?: boolean | undefined;
}

export interface GitRemoteListOptions {
  dir?: string | undefined;
}

export interface GitRemoteRemoveOptions {
  dir?: string | undefined;
  name: string;
}

export interface RemoteView {
  name: string;
  url: string;
}

/** Makes a remote. `EEXIST` where there is one of the name. */
export function remoteAdd(repository: Repository, { name, url, force = false }: GitRemoteAddOptions): void {
  if (!isRefName(`refs/remotes/${name}/x`) || name === "") throw fatal(`'${name}' is not a valid remote name`, "EREF");
  const there = remoteNames(repository).includes(name);
  if (there && !force) throw new CommandFailure("EEXIST", `error: remote ${name} already exists.`, 3);
  repository.config.change("local", (file) => {
    if (there) file.removeSection(`remote.${name}`);
    file.set(`remote.${name}.url`, url);
    file.set(`remote.${name}.fetch`, `+refs/heads/*:refs/remotes/${name}/*`);
  });
}

/** Removes a remote, its branches here, and what follows them. `EREF` where there is none. */
export function remoteRemove(repository: Repository, { name }: GitRemoteRemoveOptions): void {
  if (!remoteNames(repository).includes(name)) throw failed(`No such remote: '${name}'`, 2, "EREF");
  for (const { name: ref } of repository.refs.list(`refs/remotes/${name}/`)) repository.refs.delete(ref);
  repository.config.change("local", (file) => {
    file.removeSection(`remote.${name}`);
    for (const branch of new Set(
      file.settings.flatMap(({ name: key, value }) =>
        /^branch\..*\.remote$/.test(key) && value === name ? [key.slice(7, -7)] : [],
      ),
    )) {
      file.unset(`branch.${branch}.remote`);
      file.unset(`branch.${branch}.merge`);
    }
  });
}

/** All remotes, in order of their names. */
export function remoteList(repository: Repository): RemoteView[] {
  return remoteNames(repository).map((name) => ({ name, url: repository.config.get(`remote.${name}.url`) ?? name }));
}

function remoteNames({ config }: Repository): string[] {
  return config
    .subsections("remote")
    .filter(
      (name) => config.get(`remote.${name}.url`) !== undefined || config.get(`remote.${name}.fetch`) !== undefined,
    )
    .sort();
}

/** The address of a remote by its name, or of one that is given as an address; `EREMOTE` where it is neither. */
export function remoteUrl(repository: Repository, name: string): string {
  const url = repository.config.get(`remote.${name}.url`);
  if (url !== undefined) return rewritten(repository, url);
  if (
    /^[a-z][a-z0-9+.-]*:\/\//i.test(name) ||
    name.startsWith("/") ||
    name.startsWith("./") ||
    name.startsWith("../") ||
    name === "."
  )
    return rewritten(repository, name);
  throw new GitError(
    "EREMOTE",
    `'${name}' does not appear to be a git repository\nfatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights\nand the repository exists.`,
  );
}

/** The address with `url.<base>.insteadOf` done. */
function rewritten({ config }: Repository, url: string): string {
  for (const base of config.subsections("url")) {
    for (const prefix of config.all(`url.${base}.insteadof`))
      if (url.startsWith(prefix)) return base + url.slice(prefix.length);
  }
  return url;
}

export const remoteCommand: Command = {
  usage:
    "[-v | --verbose]\nadd [-f] [-t <branch>] <name> <url>\nremove <name>\nrename <old> <new>\nget-url <name>\nset-url <name> <newurl>",
  flags: [
    "-v --verbose",
    "-f --fetch",
    "-t --track <branch>",
    "-m --master <branch>",
    "--push",
    "--all",
    "--add",
    "--delete",
    "--tags",
    "-n",
    "--progress",
  ],
  run(context, args) {
    const { repository } = context;
    const [verb, name, url] = args.everything;
    if (verb === undefined || verb === "show") {
      if (name !== undefined) throw fatal("unsupported: git remote show <name>", "EUNSUPPORTED");
      for (const each of remoteList(repository)) {
        const push = repository.config.get(`remote.${each.name}.pushurl`) ?? each.url;
        context.out(
          args.has("verbose") ? `${each.name}\t${each.url} (fetch)\n${each.name}\t${push} (push)\n` : `${each.name}\n`,
        );
      }
      return;
    }
    const known = name !== undefined && remoteNames(repository).includes(name);
    if (verb === "add") {
      if (name === undefined || url === undefined)
        throw new CommandFailure("EUSAGE", "usage: git remote add [<options>] <name> <url>", 129);
      if (args.has("fetch")) throw fatal("unsupported: git remote add --fetch", "EUNSUPPORTED");
      return remoteAdd(repository, { name, url });
    }
    if (name === undefined) throw new CommandFailure("EUSAGE", `usage: git remote ${verb} <name>`, 129);
    if (verb === "remove" || verb === "rm") return remoteRemove(repository, { name });
    if (!["rename", "get-url", "set-url", "prune", "update", "set-head", "set-branches"].includes(verb))
      throw new CommandFailure("EUSAGE", `error: Unknown subcommand: ${verb}\nusage: git remote [-v | --verbose]`, 129);
    if (!known) throw failed(`No such remote '${name}'`, 2, "EREF");
    if (verb === "get-url")
      context.line(
        repository.config.get(args.has("push") ? `remote.${name}.pushurl` : `remote.${name}.url`) ??
          repository.config.get(`remote.${name}.url`)!,
      );
    else if (verb === "set-url" && url !== undefined)
      repository.config.change("local", (file) =>
        file.set(args.has("push") ? `remote.${name}.pushurl` : `remote.${name}.url`, url, args.has("add")),
      );
    else if (verb === "rename" && url !== undefined) renameRemote(repository, name, url);
    else throw fatal(`unsupported: git remote ${verb}`, "EUNSUPPORTED");
  },
};

function renameRemote(repository: Repository, from: string, to: string): void {
  if (remoteNames(repository).includes(to)) throw fatal(`remote ${to} already exists.`, "EEXIST");
  repository.config.change("local", (file) => {
    file.renameSection(`remote.${from}`, `remote.${to}`);
    file.set(`remote.${to}.fetch`, `+refs/heads/*:refs/remotes/${to}/*`);
    for (const { name, value } of [...file.settings])
      if (/^branch\..*\.remote$/.test(name) && value === from) file.set(name, to);
  });
  for (const { name } of repository.refs.list(`refs/remotes/${from}/`)) {
    const target = name.replace(`refs/remotes/${from}/`, `refs/remotes/${to}/`);
    const symbolic = repository.refs.symbolic(name);
    if (symbolic === undefined) repository.refs.rename(name, target, `remote: renamed ${name} to ${target}`);
    else {
      repository.refs.setSymbolic(target, symbolic.replace(`refs/remotes/${from}/`, `refs/remotes/${to}/`));
      repository.refs.delete(name);
    }
  }
}

/** `git config`. */

import type { Command } from "../cli/command.ts";
import { CommandFailure, fatal } from "../git-error.ts";
import { Config, type ConfigScope } from "../repository/config.ts";
import { globalConfigPath, type Repository } from "../repository/repository.ts";

export interface GitConfigGetOptions {
  dir?: string | undefined;
  /** Such as `user.name`. */
  path: string;
  /** Every value instead of the last. */
  all?: boolean | undefined;
}

export interface GitConfigSetOptions {
  dir?: string | undefined;
  path: string;
  /** Undefined removes the setting. */
  value: string | number | boolean | undefined;
  /** Adds a value to those there are. */
  append?: boolean | undefined;
}

/** A setting; undefined where it is not set. */
export function configGet(
  repository: Repository,
  { path, all = false }: GitConfigGetOptions,
): string | string[] | undefined {
  return all ? [...repository.config.all(path)] : repository.config.get(path);
}

/** Changes a setting of the repository. */
export function configSet(repository: Repository, { path, value, append = false }: GitConfigSetOptions): void {
  repository.config.change("local", (file) => {
    if (value === undefined) file.unset(path);
    else file.set(path, String(value), append);
  });
}

export const configCommand: Command = {
  usage: "[<options>] <name> [<value>]",
  flags: [
    "--global",
    "--local",
    "--system",
    "--worktree",
    "-f --file <file>",
    "--get",
    "--get-all",
    "--get-regexp",
    "--add",
    "--replace-all",
    "--unset",
    "--unset-all",
    "--rename-section",
    "--remove-section",
    "-l --list",
    "-e --edit",
    "--type <type>",
    "--bool",
    "--int",
    "--path",
    "-z --null",
    "--name-only",
    "--show-origin",
    "--show-scope",
    "--default <value>",
  ],
  run(context, args) {
    for (const flag of ["file", "edit", "system", "worktree", "show-origin", "show-scope"])
      if (args.has(flag)) throw fatal(`unsupported: git config --${flag}`, "EUNSUPPORTED");
    const given: ConfigScope | undefined = args.has("global") ? "global" : args.has("local") ? "local" : undefined;
    const config = configOf(context, given);
    const end = args.has("null") ? "\0" : "\n";
    const [name, value, pattern] = args.everything;
    if (args.has("list")) {
      for (const setting of config.list(given))
        context.out(
          args.has("name-only")
            ? `${setting.name}${end}`
            : `${setting.name}${end === "\0" ? "\n" : "="}${setting.value}${end}`,
        );
      return;
    }
    if (name === undefined)
      throw new CommandFailure(
        "EUSAGE",
        `error: wrong number of arguments, should be from 1 to 2\nusage: git config ${configCommand.usage}`,
        129,
      );
    const scope = given ?? "local";
    if (args.has("rename-section") || args.has("remove-section")) {
      const done = config.change(scope, (file) =>
        args.has("remove-section") ? file.removeSection(name) : file.renameSection(name, value ?? ""),
      );
      if (!done) throw fatal(`no such section: ${name}`, "ECONFIG");
      return;
    }
    if (args.has("get-regexp")) {
      const regex = new RegExp(name);
      const found = config.list(given).filter((setting) => regex.test(setting.name));
      for (const setting of found)
        context.out(args.has("name-only") ? `${setting.name}${end}` : `${setting.name} ${setting.value}${end}`);
      return found.length > 0 ? 0 : 1;
    }
    checkKey(name);
    if (args.has("unset") || args.has("unset-all")) {
      const count = config
        .file(scope)
        .settings.filter((setting) => setting.name === name.toLowerCase() || setting.name === normal(name)).length;
      if (count === 0) return 5;
      if (count > 1 && !args.has("unset-all")) {
        context.err(`warning: ${name} has multiple values\n`);
        return 5;
      }
      config.change(scope, (file) => file.unset(name));
      return;
    }
    if (value !== undefined && !args.has("get") && !args.has("get-all")) {
      const count = config.file(scope).settings.filter((setting) => setting.name === normal(name)).length;
      if (count > 1 && !args.has("add") && !args.has("replace-all")) {
        context.err(
          `warning: ${name} has multiple values\nerror: cannot overwrite multiple values with a single value\n       Use a regexp, --add or --replace-all to change ${name}.\n`,
        );
        return 5;
      }
      void pattern;
      config.change(scope, (file) => {
        if (args.has("replace-all")) file.unset(name);
        file.set(name, typed(value, args.has("bool") ? "bool" : args.value("type"), name), args.has("add"));
      });
      return;
    }
    const values =
      given === undefined
        ? config.all(name)
        : config
            .file(given)
            .settings.filter((setting) => setting.name === normal(name))
            .map((setting) => setting.value);
    const shown = args.has("get-all") ? values : values.slice(-1);
    const fallback = args.value("default");
    if (shown.length === 0 && fallback === undefined) return 1;
    const type = args.has("bool") ? "bool" : args.has("int") ? "int" : args.value("type");
    for (const each of shown.length === 0 ? [fallback!] : shown) context.out(typed(each, type, name) + end);
  },
};

function configOf(context: Parameters<NonNullable<Command["run"]>>[0], scope: ConfigScope | undefined): Config {
  const { surroundings } = context;
  try {
    return context.repository.config;
  } catch (error) {
    // The user's own settings need no repository, and neither does asking for one.
    if (scope === "local") throw fatal("--local can only be used inside a git repository", "ECONFIG");
    if (!(error instanceof Error) || !("code" in error) || error.code !== "ENOTAREPO") throw error;
    return new Config(surroundings.files, {
      local: undefined,
      global: globalConfigPath(surroundings.env),
      command: surroundings.settings,
    });
  }
}

function normal(name: string): string {
  const [first, last] = [name.indexOf("."), name.lastIndexOf(".")];
  return `${name.slice(0, first).toLowerCase()}${name.slice(first, last)}${name.slice(last).toLowerCase()}`;
}

function checkKey(name: string): void {
  if (!name.includes(".")) throw new CommandFailure("ECONFIG", `error: key does not contain a section: ${name}`, 1);
  if (name.endsWith(".")) throw new CommandFailure("ECONFIG", `error: key does not contain variable name: ${name}`, 1);
  if (!/^[A-Za-z][\w-]*$/.test(name.slice(name.lastIndexOf(".") + 1)))
    throw new CommandFailure("ECONFIG", `error: invalid key: ${name}`, 1);
}

function typed(value: string, type: string | undefined, name: string): string {
  if (type === "bool") {
    const text = value.toLowerCase();
    if (["true", "yes", "on"].includes(text) || /^[1-9]\d*$/.test(text)) return "true";
    if (["false", "no", "off", "0", ""].includes(text)) return "false";
    throw fatal(`bad boolean config value '${value}' for '${name}'`, "ECONFIG");
  }
  if (type === "int") {
    const match = /^(-?\d+)([kmg]?)$/i.exec(value);
    if (match === null) throw fatal(`bad numeric config value '${value}' for '${name}': invalid unit`, "ECONFIG");
    return String(Number(match[1]) * 1024 ** ["", "k", "m", "g"].indexOf(match[2]!.toLowerCase()));
  }
  return value;
}

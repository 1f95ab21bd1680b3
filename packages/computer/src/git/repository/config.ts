/** What git is told to do: the settings of the repository, those of the user below them, and those of one command above. */

import type { GitFiles } from "../files/git-files.ts";
import { fatal } from "../git-error.ts";
import { ConfigFile, normalName } from "./config-file.ts";

export type ConfigScope = "local" | "global";

export interface ConfigPlaces {
  /** The repository's file; undefined outside of one. */
  readonly local: string | undefined;
  /** The user's file. */
  readonly global: string;
  /** `name=value` of `-c` and the like. */
  readonly command: readonly string[];
}

export class Config {
  readonly #files: GitFiles;
  readonly #places: ConfigPlaces;
  readonly #read = new Map<ConfigScope, ConfigFile>();
  #values: Map<string, string[]> | undefined;

  constructor(files: GitFiles, places: ConfigPlaces) {
    this.#files = files;
    this.#places = places;
  }

  /** The last value of a name. */
  get(name: string): string | undefined {
    return this.all(name).at(-1);
  }

  all(name: string): readonly string[] {
    this.#values ??= this.#collect();
    return this.#values.get(normalName(name)) ?? [];
  }

  /** Whether a setting is true; `EFATAL` for a value that is neither. */
  flag(name: string): boolean | undefined {
    const value = this.get(name)?.toLowerCase();
    if (value === undefined) return undefined;
    if (["true", "yes", "on", "1"].includes(value)) return true;
    if (["false", "no", "off", "0", ""].includes(value)) return false;
    throw fatal(`bad boolean config value '${this.get(name)}' for '${normalName(name)}'`, "ECONFIG");
  }

  number(name: string): number | undefined {
    const match = /^(-?\d+)([kmg]?)$/i.exec(this.get(name) ?? "");
    if (match === null) return undefined;
    return Number(match[1]) * 1024 ** ["", "k", "m", "g"].indexOf(match[2]!.toLowerCase());
  }

  /** The subsections of a section, such as the names of remotes. */
  subsections(section: string): string[] {
    this.#values ??= this.#collect();
    const found = new Set<string>();
    for (const name of this.#values.keys()) {
      const last = name.lastIndexOf(".");
      if (name.startsWith(`${section}.`) && last > section.length) found.add(name.slice(section.length + 1, last));
    }
    return [...found];
  }

  /** Every setting in the order in which git takes them. */
  list(scope?: ConfigScope): { name: string; value: string }[] {
    const scopes: ConfigScope[] = scope === undefined ? ["global", "local"] : [scope];
    const listed = scopes.flatMap((each) => [...this.file(each).settings]);
    return scope === undefined ? [...listed, ...this.#commandSettings()] : listed;
  }

  file(scope: ConfigScope): ConfigFile {
    const known = this.#read.get(scope);
    if (known !== undefined) return known;
    const path = this.#places[scope];
    const file = new ConfigFile(path === undefined ? "" : this.#files.text(path));
    this.#read.set(scope, file);
    return file;
  }

  /** Changes one of the files and writes it; what the change gives. */
  change<T>(scope: ConfigScope, change: (file: ConfigFile) => T): T {
    const path = this.#places[scope];
    if (path === undefined) throw fatal("not in a git directory", "ECONFIG");
    const result = change(this.file(scope));
    this.#files.write(path, this.file(scope).text);
    this.#values = undefined;
    return result;
  }

  #collect(): Map<string, string[]> {
    const values = new Map<string, string[]>();
    for (const { name, value } of this.list()) {
      const known = values.get(name);
      if (known === undefined) values.set(name, [value]);
      else known.push(value);
    }
    return values;
  }

  #commandSettings(): { name: string; value: string }[] {
    return this.#places.command.map((setting) => {
      const equals = setting.indexOf("=");
      if (equals < 0) return { name: normalName(setting), value: "true" };
      return { name: normalName(setting.slice(0, equals)), value: setting.slice(equals + 1) };
    });
  }
}

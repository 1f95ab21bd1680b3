/** What `.gitattributes` says of paths: only what changes how contents are kept and shown. */

import { directoryOf, isWithin, joined, nameOf } from "../files/repository-path.ts";
import { wildmatch } from "../ignore/wildmatch.ts";
import type { Repository } from "../repository/repository.ts";

/** A value, set (`true`), unset (`false`). */
export type AttributeValue = string | boolean;

interface Rule {
  readonly pattern: string;
  readonly anchored: boolean;
  readonly values: ReadonlyMap<string, AttributeValue | undefined>;
}

const NAMES = ["text", "eol", "diff", "merge", "crlf"];

export class Attributes {
  readonly #repository: Repository;
  readonly #rules = new Map<string, readonly Rule[]>();
  #general: readonly Rule[] | undefined;

  constructor(repository: Repository) {
    this.#repository = repository;
  }

  /** The attributes of a path that are known here; one that is not said anything of is not in it. */
  of(path: string): ReadonlyMap<string, AttributeValue> {
    const found = new Map<string, AttributeValue>();
    const decided = new Set<string>();
    const apply = (base: string, rules: readonly Rule[]): void => {
      for (const { pattern, anchored, values } of rules.toReversed()) {
        const within = base === "" ? path : path.slice(base.length + 1);
        if (!wildmatch(pattern, anchored ? within : nameOf(path), { pathname: anchored })) continue;
        for (const [name, value] of values) {
          if (decided.has(name)) continue;
          decided.add(name);
          if (value !== undefined) found.set(name, value);
        }
      }
    };
    apply("", this.#info());
    for (let at = directoryOf(path); ; at = directoryOf(at)) {
      if (isWithin(path, at)) apply(at, this.#in(at));
      if (at === "") return found;
    }
  }

  #info(): readonly Rule[] {
    this.#general ??= parseRules(
      this.#repository.files.text(`${this.#repository.place.commonDir}/info/attributes`) ?? "",
    );
    return this.#general;
  }

  #in(directory: string): readonly Rule[] {
    const known = this.#rules.get(directory);
    if (known !== undefined) return known;
    const path = joined(directory, ".gitattributes");
    const { files, index, objects, isBare } = this.#repository;
    const entry = index.get(path);
    const staged = (): string =>
      entry === undefined ? "" : new TextDecoder().decode(objects.read(entry.oid, "blob").data);
    const rules = parseRules((isBare ? undefined : files.text(this.#repository.inWorkTree(path))) ?? staged());
    this.#rules.set(directory, rules);
    return rules;
  }
}

function parseRules(text: string): Rule[] {
  return text.split("\n").flatMap((line) => {
    const match = /^\s*(?:"((?:[^"\\]|\\.)*)"|([^\s#"]\S*))\s+(.*)$/.exec(line);
    if (match === null) return [];
    const given = match[1] ?? match[2]!;
    if (given.startsWith("[attr]")) return [];
    const values = new Map<string, AttributeValue | undefined>();
    for (const word of match[3]!.trim().split(/\s+/)) {
      const [name = "", value] = word.split("=");
      if (name === "binary") for (const each of ["text", "diff", "merge"]) values.set(each, false);
      else if (name.startsWith("-")) values.set(name.slice(1), false);
      else if (name.startsWith("!")) values.set(name.slice(1), undefined);
      else values.set(name, value ?? true);
    }
    for (const name of values.keys()) if (!NAMES.includes(name)) values.delete(name);
    const pattern = given.startsWith("/") ? given.slice(1) : given;
    return [{ pattern, anchored: given.includes("/"), values }];
  });
}

/** Which references lead to a commit, as a log shows them beside it. */

import { peelTags } from "../objects/read-objects.ts";
import { shortName } from "../repository/ref-name.ts";
import type { Repository } from "../repository/repository.ts";

export class Decorations {
  readonly #repository: Repository;
  readonly #full: boolean;
  #names: Map<string, string[]> | undefined;

  constructor(repository: Repository, { full = false }: { full?: boolean } = {}) {
    this.#repository = repository;
    this.#full = full;
  }

  /** `HEAD -> main, tag: v1`; empty where nothing leads to it. */
  text(oid: string): string {
    this.#names ??= this.#collect();
    return this.#names.get(oid)?.join(", ") ?? "";
  }

  #collect(): Map<string, string[]> {
    const { refs, objects } = this.#repository;
    const names = new Map<string, string[]>();
    const put = (oid: string, name: string): void => {
      names.set(oid, [...(names.get(oid) ?? []), name]);
    };
    const show = (ref: string): string => (this.#full ? ref : shortName(ref));
    const { head, branch } = refs;
    const tip = branch === undefined ? undefined : refs.resolve(branch);
    if (head !== undefined) put(head, branch !== undefined && tip === head ? `HEAD -> ${show(branch)}` : "HEAD");
    for (const { name, oid } of refs.list().toReversed()) {
      if (name === branch && tip === head) continue;
      if (name.startsWith("refs/tags/")) put(refs.packedPeeled(name) ?? peelTags(objects, oid), `tag: ${show(name)}`);
      else if (objects.has(oid)) put(oid, name === "refs/stash" ? name : show(name));
    }
    return names;
  }
}

/** Which paths a computer keeps to itself, by patterns as in a `.gitignore`. */

import type { ChangeEntry, InodeStore } from "@cloudflare/dofs";
import ignore, { type Ignore } from "ignore";

/** What is not taken over from a computer. */
export interface IgnoreRules {
  /** Patterns as in a `.gitignore` that lies in `root`; a later one outweighs an earlier. */
  readonly patterns: readonly string[];
  /** Default: the directory that is synced. */
  readonly root?: string | undefined;
  /** Whether the computer leaves such paths out itself. Otherwise they come, and are passed over here. */
  readonly supported: boolean;
}

export class IgnoredPaths {
  readonly #rules: Ignore;
  readonly #prefix: string;

  constructor(patterns: readonly string[], root: string) {
    this.#rules = ignore({ ignorecase: false }).add(patterns);
    this.#prefix = root === "/" ? "/" : `${root}/`;
  }

  /** Whether what an entry tells of is the computer's own. Of a deletion it is not known what was there: a pattern for directories fits it too. */
  has({ kind, path }: Pick<ChangeEntry, "kind" | "path">): boolean {
    if (path.length <= this.#prefix.length || !path.startsWith(this.#prefix)) return false;
    const name = path.slice(this.#prefix.length);
    if (kind === "dir") return this.#rules.ignores(`${name}/`);
    return this.#rules.ignores(name) || (kind === "delete" && this.#rules.ignores(`${name}/`));
  }

  /**
   * The entries without those that are ignored. With the store that they come from, a file whose contents are not in it stays: only the
   * workspace has them, and would let go of them with the last name it knows.
   */
  without(entries: readonly ChangeEntry[], store?: InodeStore): ChangeEntry[] {
    const left = entries.filter((entry) => !this.has(entry) || (store !== undefined && isAbsent(store, entry)));
    if (left.length === entries.length) return left;
    const paths = new Set(left.map(({ path }) => path));
    return left.map((entry) => {
      if (entry.kind !== "file" || entry.sameAs === undefined || paths.has(entry.sameAs)) return entry;
      if (!this.has({ kind: "file", path: entry.sameAs })) return entry;
      const { sameAs: _, ...file } = entry;
      return file;
    });
  }
}

function isAbsent(store: InodeStore, entry: ChangeEntry): boolean {
  return entry.kind === "file" && store.missingChunks(entry.chunks.map(({ hash }) => hash)).length > 0;
}

/** The contents of the two sides of a change, wherever they are. */

import { oidOf } from "../objects/object-id.ts";
import { GITLINK } from "../objects/tree.ts";
import type { Repository } from "../repository/repository.ts";
import { fileContents } from "../worktree/work-file.ts";
import type { Change } from "./change.ts";

export class DiffContents {
  readonly #repository: Repository;

  constructor(repository: Repository) {
    this.#repository = repository;
  }

  /** The bytes of a side; nothing where there is no file on that side. */
  read(change: Change, side: "old" | "next"): Uint8Array {
    const file = change[side];
    if (file === undefined) return new Uint8Array();
    const { oid, mode } = file;
    if (mode === GITLINK) return new TextEncoder().encode(`Subproject commit ${oid}\n`);
    if (oid !== undefined) return this.#repository.objects.read(oid, "blob").data;
    const path = side === "old" ? (change.from ?? change.path) : change.path;
    return fileContents(this.#repository, path);
  }

  /** The object's name of a side, that of the file as it would be staged. */
  oid(change: Change, side: "old" | "next"): string {
    return change[side]?.oid ?? oidOf("blob", this.read(change, side));
  }
}

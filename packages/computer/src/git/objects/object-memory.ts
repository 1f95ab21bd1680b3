/** What is remembered of a repository's objects from one command to the next. None of it can be wrong: objects and packs never change. */

import type { GitFiles } from "../files/git-files.ts";
import type { GitObject } from "./pack-file.ts";
import { PackFile } from "./pack-file.ts";
import { PackIndex } from "./pack-index.ts";
import { Windows } from "./windows.ts";

/** Commits and trees that are kept, in bytes. */
const OBJECTS_BYTES = 4 * 1024 * 1024;
const LARGEST_OBJECT = 256 * 1024;
const KEPT_PACKS = 32;
/** Packs of which more than the index is kept. */
const WARM_PACKS = 2;

interface KnownPack {
  readonly ino: number;
  readonly size: number;
  readonly pack: PackFile<PackIndex>;
}

export class ObjectMemory {
  readonly #objects = new Map<string, GitObject>();
  #bytes = 0;
  readonly #packs = new Map<string, KnownPack>();

  object(oid: string): GitObject | undefined {
    return this.#objects.get(oid);
  }

  keep(oid: string, object: GitObject): void {
    if (object.type === "blob" || object.data.length > LARGEST_OBJECT || this.#objects.has(oid)) return;
    // A slice would keep all of what it is a slice of.
    const data = object.data.length < object.data.buffer.byteLength ? object.data.slice() : object.data;
    this.#objects.set(oid, { type: object.type, data });
    this.#bytes += data.length;
    for (const [old, { data: bytes }] of this.#objects) {
      if (this.#bytes <= OBJECTS_BYTES) break;
      this.#objects.delete(old);
      this.#bytes -= bytes.length;
    }
  }

  /** The pack whose files are `path` with `.idx` and `.pack`; undefined where one of them is missing. */
  pack(files: GitFiles, path: string): PackFile<PackIndex> | undefined {
    const index = files.stat(`${path}.idx`);
    const known = this.#packs.get(path);
    if (known !== undefined && index?.ino === known.ino && index.size === known.size) {
      this.#packs.delete(path);
      this.#packs.set(path, known);
      return known.pack;
    }
    const body = files.stat(`${path}.pack`);
    if (index === undefined || body === undefined) return undefined;
    const pack = new PackFile(
      new PackIndex((offset, length) => files.range(index.ino, offset, length), index.size),
      new Windows((offset, length) => files.range(body.ino, offset, length), body.size),
    );
    this.#packs.set(path, { ino: index.ino, size: index.size, pack });
    return pack;
  }

  /** Lets go of what one command alone needed. */
  rest(): void {
    const packs = [...this.#packs];
    for (const [path] of packs.slice(0, -KEPT_PACKS)) this.#packs.delete(path);
    for (const [, { pack }] of packs.slice(0, -WARM_PACKS)) pack.clear();
  }
}

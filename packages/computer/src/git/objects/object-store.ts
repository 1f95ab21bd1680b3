/** A repository's objects: loose ones, those in packs, and those that the command in hand has made. */

import { Buffer } from "node:buffer";
import { deflateSync, inflateSync } from "node:zlib";
import { absolutePath } from "../../files/absolute-path.ts";
import type { GitFiles } from "../files/git-files.ts";
import { GitError } from "../git-error.ts";
import { EMPTY_TREE, isOid, type ObjectType, oidOf, viewOf } from "./object-id.ts";
import type { ObjectMemory } from "./object-memory.ts";
import type { GitObject, PackFile } from "./pack-file.ts";
import type { PackIndex } from "./pack-index.ts";
import { PackWriter, packEntry, packIndexBytes } from "./pack-writer.ts";

/** More new objects than this are written as one pack: few rows instead of many. */
const LOOSE_MAX = 50;
/** Bytes of new objects, compressed, that wait in memory at most. */
const WAITING_BYTES = 16 * 1024 * 1024;
const READ_ONLY = 0o444;

export class ObjectStore {
  readonly #files: GitFiles;
  readonly #memory: ObjectMemory;
  readonly #directory: string;
  #places: string[] | undefined;
  #packs: PackFile<PackIndex>[] | undefined;
  #fanouts: Map<string, Set<string>> | undefined;
  readonly #new = new Map<string, { object: GitObject | undefined; type: ObjectType; entry: Buffer }>();
  #newBytes = 0;
  #shallow: Set<string> | undefined;

  constructor(files: GitFiles, directory: string, memory: ObjectMemory) {
    this.#files = files;
    this.#directory = directory;
    this.#memory = memory;
  }

  /** An object; undefined where there is none of that name. */
  find(oid: string): GitObject | undefined {
    const known = this.#fresh(oid) ?? this.#memory.object(oid);
    if (known !== undefined) return known;
    const object = this.#packed(oid) ?? this.#loose(oid);
    if (object === undefined) return oid === EMPTY_TREE ? { type: "tree", data: new Uint8Array() } : undefined;
    this.#memory.keep(oid, object);
    return object;
  }

  /** An object; `EMISSING` where there is none of that name, or one of another type. */
  read(oid: string, type?: ObjectType): GitObject {
    const object = this.find(oid);
    if (object === undefined) throw new GitError("EMISSING", `bad object ${oid}`);
    if (type !== undefined && object.type !== type) {
      throw new GitError("EMISSING", `object ${oid} is a ${object.type}, not a ${type}`);
    }
    return object;
  }

  has(oid: string): boolean {
    return this.#memory.object(oid) !== undefined || oid === EMPTY_TREE || this.#stored(oid);
  }

  /** Takes an object in; its name. It is written when the command ends. */
  write(type: ObjectType, data: Uint8Array): string {
    const oid = oidOf(type, data);
    if (this.#stored(oid)) return oid;
    const entry = packEntry({ type, data });
    this.#new.set(oid, { object: type === "blob" ? undefined : { type, data }, type, entry });
    this.#newBytes += entry.length;
    if (this.#newBytes > WAITING_BYTES) this.flush();
    return oid;
  }

  /** Writes what was taken in. */
  flush(): void {
    if (this.#new.size > LOOSE_MAX || this.#newBytes > WAITING_BYTES) this.#writePack();
    else for (const [oid] of this.#new) this.#writeLoose(oid, this.#fresh(oid)!);
    this.#new.clear();
    this.#newBytes = 0;
  }

  /** The names of all objects that begin with these digits, at least two of them. */
  withPrefix(prefix: string): string[] {
    const found = new Set<string>();
    for (const oid of this.#new.keys()) if (oid.startsWith(prefix)) found.add(oid);
    for (const pack of this.#openPacks()) for (const oid of pack.index.withPrefix(prefix)) found.add(oid);
    const fanout = prefix.slice(0, 2);
    for (const place of this.#borrowed()) {
      for (const rest of this.#looseNames(place, fanout)) {
        if (rest.startsWith(prefix.slice(2)) && isOid(fanout + rest)) found.add(fanout + rest);
      }
    }
    return [...found].sort();
  }

  /** The beginning of a name that no other object shares, at least `length` digits. */
  abbreviate(oid: string, length: number): string {
    for (let at = length; at < oid.length; at++) {
      const prefix = oid.slice(0, at);
      if (!this.#isShared(oid, prefix)) return prefix;
    }
    return oid;
  }

  /** How many digits git shows of a name in a repository of this size. */
  shortLength(): number {
    const count = this.#openPacks().reduce((sum, pack) => sum + pack.index.count, 0);
    const bits = count === 0 ? 0 : Math.floor(Math.log2(count)) + 1;
    return Math.max(7, Math.ceil(bits / 2));
  }

  #isShared(oid: string, prefix: string): boolean {
    for (const known of this.#new.keys()) if (known !== oid && known.startsWith(prefix)) return true;
    if (this.#openPacks().some((pack) => pack.index.withPrefix(prefix).some((found) => found !== oid))) return true;
    const [fanout, rest] = [prefix.slice(0, 2), prefix.slice(2)];
    return this.#borrowed().some((place) => {
      const at = this.#files.directory(`${place}/${fanout}`);
      if (at === undefined) return false;
      // Names that begin so come right after their beginning.
      return this.#files.store.list(at, rest, 2).some(({ name }) => name.startsWith(rest) && name !== oid.slice(2));
    });
  }

  /** Whether the history ends at a commit because no more of it was fetched. */
  isShallow(oid: string): boolean {
    this.#shallow ??= new Set((this.#files.text(this.shallowPath) ?? "").split("\n").filter((line) => line !== ""));
    return this.#shallow.has(oid);
  }

  /** The commits at which the history ends because no more of it was fetched. */
  get shallow(): ReadonlySet<string> {
    this.isShallow("");
    return this.#shallow!;
  }

  setShallow(oids: ReadonlySet<string>): void {
    if (oids.size > 0)
      this.#files.write(
        this.shallowPath,
        [...oids]
          .sort()
          .map((oid) => `${oid}\n`)
          .join(""),
      );
    else this.#files.remove(this.shallowPath);
    this.#shallow = new Set(oids);
  }

  get shallowPath(): string {
    return `${this.#directory.slice(0, this.#directory.lastIndexOf("/"))}/shallow`;
  }

  /** Says that packs have come. */
  packsChanged(): void {
    this.#packs = undefined;
    this.#fanouts = undefined;
  }

  /** The directory that packs are written to. */
  get packDirectory(): string {
    return `${this.#directory}/pack`;
  }

  #fresh(oid: string): GitObject | undefined {
    const known = this.#new.get(oid);
    if (known === undefined) return undefined;
    return known.object ?? { type: known.type, data: inflateSync(known.entry.subarray(headerLength(known.entry))) };
  }

  #stored(oid: string): boolean {
    if (this.#new.has(oid)) return true;
    if (this.#openPacks().some((pack) => pack.index.offset(oid) !== undefined)) return true;
    return this.#borrowed().some((place) => this.#looseNames(place, oid.slice(0, 2)).has(oid.slice(2)));
  }

  #packed(oid: string): GitObject | undefined {
    const packs = this.#openPacks();
    for (const [i, pack] of packs.entries()) {
      const offset = pack.index.offset(oid);
      if (offset === undefined) continue;
      // What is asked for next is likely to be in the same pack.
      if (i > 0) packs.unshift(...packs.splice(i, 1));
      return pack.read(offset, (base) => this.find(base));
    }
    return undefined;
  }

  #loose(oid: string): GitObject | undefined {
    for (const place of this.#borrowed()) {
      const bytes = this.#files.read(`${place}/${oid.slice(0, 2)}/${oid.slice(2)}`);
      if (bytes === undefined) continue;
      const inflated = viewOf(inflateSync(bytes));
      const nul = inflated.indexOf(0);
      const [type] = inflated.toString("latin1", 0, nul).split(" ");
      return { type: type as ObjectType, data: inflated.subarray(nul + 1) };
    }
    return undefined;
  }

  #openPacks(): PackFile<PackIndex>[] {
    if (this.#packs !== undefined) return this.#packs;
    this.#packs = [];
    for (const place of this.#borrowed()) {
      for (const name of this.#files.names(`${place}/pack`)) {
        if (!name.endsWith(".idx")) continue;
        const pack = this.#memory.pack(this.#files, `${place}/pack/${name.slice(0, -4)}`);
        if (pack !== undefined) this.#packs.push(pack);
      }
    }
    return this.#packs;
  }

  /** The directories of objects: the repository's own, and those it borrows from. */
  #borrowed(): string[] {
    if (this.#places !== undefined) return this.#places;
    const places = [this.#directory];
    for (const place of places) {
      const text = this.#files.text(`${place}/info/alternates`) ?? "";
      for (const line of text.split("\n")) {
        if (line === "" || line.startsWith("#")) continue;
        const other = this.#files.real(absolutePath(place, line));
        if (!places.includes(other)) places.push(other);
      }
    }
    this.#places = places;
    return places;
  }

  /** What loose objects there are whose names begin so; listed once. */
  #looseNames(place: string, fanout: string): Set<string> {
    this.#fanouts ??= new Map();
    const key = `${place}/${fanout}`;
    const known = this.#fanouts.get(key);
    if (known !== undefined) return known;
    const top = this.#fanouts.get(place) ?? new Set(this.#files.names(place));
    this.#fanouts.set(place, top);
    const names = top.has(fanout) ? new Set(this.#files.names(key)) : new Set<string>();
    this.#fanouts.set(key, names);
    return names;
  }

  #writeLoose(oid: string, { type, data }: GitObject): void {
    const fanout = oid.slice(0, 2);
    const bytes = deflateSync(Buffer.concat([Buffer.from(`${type} ${data.length}\0`), data]));
    const parent = this.#files.makeDirectory(`${this.#directory}/${fanout}`);
    this.#files.create(parent, oid.slice(2), bytes, READ_ONLY);
    this.#fanouts?.get(this.#directory)?.add(fanout);
    this.#fanouts?.get(`${this.#directory}/${fanout}`)?.add(oid.slice(2));
  }

  #writePack(): void {
    const stage = this.#files.store.stage();
    const writer = new PackWriter(this.#new.size, (piece) => stage.append(piece));
    for (const [oid, { entry }] of this.#new) writer.add(oid, entry);
    const checksum = writer.finish();
    const path = `${this.packDirectory}/pack-${checksum.toString("hex")}`;
    this.#files.write(`${path}.pack`, stage, READ_ONLY);
    this.#files.write(`${path}.idx`, packIndexBytes(writer.entries, checksum), READ_ONLY);
    this.packsChanged();
  }
}

function headerLength(entry: Uint8Array): number {
  let at = 0;
  while (entry[at]! & 0x80) at++;
  return at + 1;
}

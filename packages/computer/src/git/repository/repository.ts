/** One repository during one command: its files, settings, references, objects and index, each read once. */

import { type Attr, isFsError } from "@cloudflare/dofs";
import type { GitFiles } from "../files/git-files.ts";
import { isWithin } from "../files/repository-path.ts";
import { fatal, PathOutsideRepoError, UnsupportedError } from "../git-error.ts";
import { GitIndex } from "../index-file/git-index.ts";
import { indexBytes } from "../index-file/index-bytes.ts";
import { nanoseconds, seconds } from "../index-file/index-entry.ts";
import { parseIndex } from "../index-file/parse-index.ts";
import { type Person, personText } from "../objects/commit.ts";
import type { ObjectMemory } from "../objects/object-memory.ts";
import { ObjectStore } from "../objects/object-store.ts";
import { Config } from "./config.ts";
import { type Environment, type GitIdentity, personOf } from "./identity.ts";
import { Refs } from "./refs.ts";

/** Where a repository lies. */
export interface RepositoryPlace {
  /** Where HEAD and the index are. */
  readonly gitDir: string;
  /** Where objects and branches are: elsewhere for a linked worktree. */
  readonly commonDir: string;
  /** Undefined for a bare one. */
  readonly workTree: string | undefined;
}

/** What a command works with beside the repository. */
export interface Surroundings {
  readonly files: GitFiles;
  readonly memory: ObjectMemory;
  readonly env: Environment;
  /** `name=value` of `-c`. */
  readonly settings: readonly string[];
  readonly identity: GitIdentity | undefined;
  /** Milliseconds since 1970. */
  now(): number;
}

const HOME = "/workspace";

export class Repository {
  readonly files: GitFiles;
  readonly place: RepositoryPlace;
  readonly config: Config;
  readonly refs: Refs;
  readonly objects: ObjectStore;
  readonly surroundings: Surroundings;
  #index: GitIndex | undefined;

  /** `EUNSUPPORTED` for a repository in a format that is not known here. */
  constructor(place: RepositoryPlace, surroundings: Surroundings) {
    const { files, memory } = surroundings;
    this.files = files;
    this.place = place;
    this.surroundings = surroundings;
    this.config = new Config(files, {
      local: `${place.commonDir}/config`,
      global: globalConfigPath(surroundings.env),
      command: surroundings.settings,
    });
    this.objects = new ObjectStore(files, `${place.commonDir}/objects`, memory);
    this.refs = new Refs(files, place, { enabled: () => this.#keepsLogs(), who: () => this.#logIdentity() });
    checkFormat(this.config);
  }

  get gitDir(): string {
    return this.place.gitDir;
  }

  /** The work tree; `EFATAL` for a bare repository. */
  get workTree(): string {
    if (this.place.workTree === undefined) throw fatal("this operation must be run in a work tree", "EBARE");
    return this.place.workTree;
  }

  get isBare(): boolean {
    return this.place.workTree === undefined;
  }

  now(): number {
    return this.surroundings.now();
  }

  get index(): GitIndex {
    this.#index ??= this.#readIndex();
    return this.#index;
  }

  /** Puts another index in its place. */
  replaceIndex(index: GitIndex): void {
    this.#index = index;
    index.changed = true;
  }

  /** Writes what is new: objects, then the index where it changed. */
  save(): void {
    this.objects.flush();
    const index = this.#index;
    if (index === undefined || !(index.changed || index.restamped)) return;
    try {
      this.files.write(`${this.gitDir}/index`, indexBytes(index));
    } catch (error) {
      // Where nothing can be written, what was only looked at is looked at again.
      if (index.changed || !isFsError(error, "EROFS")) throw error;
    }
    index.changed = false;
    index.restamped = false;
  }

  person(role: "author" | "committer", given?: GitIdentity): Person {
    const { env, identity, now } = this.surroundings;
    return personOf(role, { env, config: this.config, fallback: identity, now }, given);
  }

  /** A file of the work tree. */
  inWorkTree(path: string): string {
    return path === "" ? this.workTree : `${this.workTree === "/" ? "" : this.workTree}/${path}`;
  }

  /** The path inside of the work tree that an absolute one is; `EPATHOUTSIDE` where it is none. */
  relative(path: string): string {
    const top = this.workTree;
    if (!isWithin(path, top === "/" ? "" : top)) throw new PathOutsideRepoError(path, top);
    return path.slice(top === "/" ? 1 : top.length + 1);
  }

  /** A file in the git directory, such as `MERGE_HEAD`. */
  state(name: string): string | undefined {
    return this.files.text(`${this.gitDir}/${name}`);
  }

  setState(name: string, text: string | undefined): void {
    if (text === undefined) this.files.remove(`${this.gitDir}/${name}`);
    else this.files.write(`${this.gitDir}/${name}`, text);
  }

  /** Whether files keep their executable bit. */
  get keepsFileMode(): boolean {
    return this.config.flag("core.filemode") ?? true;
  }

  statInWorkTree(path: string): Attr | undefined {
    return this.files.stat(this.inWorkTree(path));
  }

  #readIndex(): GitIndex {
    const attr = this.files.stat(`${this.gitDir}/index`);
    if (attr === undefined || attr.size === 0) return new GitIndex();
    const time = { mtime: seconds(attr.mtime), mtimeNs: nanoseconds(attr.mtime, attr.mtimeNs) };
    return parseIndex(this.files.contents(attr), time);
  }

  #keepsLogs(): boolean {
    const setting = this.config.get("core.logallrefupdates");
    if (setting?.toLowerCase() === "always") return true;
    return this.config.flag("core.logallrefupdates") ?? !this.isBare;
  }

  /** Whoever it is: a log is no place to ask for a name. */
  #logIdentity(): string {
    const {
      surroundings: { identity = { name: "unknown", email: "unknown" }, env, now },
    } = this;
    return personText(personOf("committer", { env, config: this.config, fallback: identity, now }));
  }
}

export function globalConfigPath(env: Environment): string {
  return env.GIT_CONFIG_GLOBAL ?? `${env.HOME ?? HOME}/.gitconfig`;
}

function checkFormat(config: Config): void {
  const version = config.number("core.repositoryformatversion") ?? 0;
  if (version > 1) throw new UnsupportedError(`repository format version ${version}`);
  const format = config.get("extensions.objectformat")?.toLowerCase() ?? "sha1";
  if (format !== "sha1") throw new UnsupportedError(`objects named by ${format.toUpperCase().replace("SHA", "SHA-")}`);
  const storage = config.get("extensions.refstorage")?.toLowerCase() ?? "files";
  if (storage !== "files") throw new UnsupportedError(`references kept as ${storage}`);
  if (
    config.get("core.sparsecheckout") !== undefined &&
    config.flag("core.sparsecheckout") &&
    config.flag("index.sparse")
  ) {
    throw new UnsupportedError("a sparse index");
  }
}

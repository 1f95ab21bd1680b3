/** Looks through the work tree once: what changed since it was staged, what is not tracked, what is ignored. */

import type { Attr, Dirent } from "@cloudflare/dofs";
import { compareNames } from "@cloudflare/dofs";
import { joined } from "../files/repository-path.ts";
import { IgnoreRules } from "../ignore/ignore-rules.ts";
import { Pathspec } from "../ignore/pathspec.ts";
import { type IndexEntry, isUnchanged, modeOf, stampOf } from "../index-file/index-entry.ts";
import { GITLINK, SYMLINK } from "../objects/tree.ts";
import type { Repository } from "../repository/repository.ts";
import { fileOid, nestedHead } from "./work-file.ts";

export interface ScanOptions {
  /** Files that are not tracked: none, directories of nothing else as one (`dir/`), or each. Default `normal`. */
  readonly untracked?: "no" | "normal" | "all" | undefined;
  /** Lists what is ignored too. */
  readonly ignored?: boolean | undefined;
  readonly pathspec?: Pathspec | undefined;
  /** Counts directories of nothing as untracked. */
  readonly empty?: boolean | undefined;
}

/** A tracked file that is not as it was staged. */
export interface WorkChange {
  readonly status: "M" | "D" | "T" | "A";
  /** Its mode now; undefined where it is gone. */
  readonly mode: number | undefined;
  readonly attr: Attr | undefined;
  /** The commit that a nested repository is at. */
  readonly oid: string | undefined;
}

export interface Scan {
  readonly changes: Map<string, WorkChange>;
  /** In order; a directory ends in a slash. */
  readonly untracked: string[];
  readonly ignored: string[];
}

/** The rules of what is ignored in a repository, of which `.gitignore` files are read when they are needed. */
export function ignoreRules(repository: Repository): IgnoreRules {
  const { files, config, place } = repository;
  const home = repository.surroundings.env.HOME ?? "/workspace";
  const own = config.get("core.excludesfile")?.replace(/^~(?=\/)/, home);
  const general = [
    own === undefined ? "" : (files.text(own) ?? ""),
    files.text(`${place.commonDir}/info/exclude`) ?? "",
  ];
  return new IgnoreRules(general, (directory) => files.text(repository.inWorkTree(joined(directory, ".gitignore"))), {
    ignoreCase: config.flag("core.ignorecase"),
  });
}

export function scanWorkTree(repository: Repository, options: ScanOptions = {}): Scan {
  return new Scanner(repository, options).run();
}

class Scanner {
  readonly #repository: Repository;
  readonly #untracked: "no" | "normal" | "all";
  readonly #wantsIgnored: boolean;
  readonly #pathspec: Pathspec;
  readonly #wantsEmpty: boolean;
  readonly #rules: IgnoreRules | undefined;
  readonly #directories: Set<string>;
  readonly #seen = new Set<string>();
  readonly #scan: Scan = { changes: new Map(), untracked: [], ignored: [] };

  constructor(
    repository: Repository,
    { untracked = "normal", ignored = false, pathspec = new Pathspec([]), empty = false }: ScanOptions,
  ) {
    this.#repository = repository;
    this.#untracked = untracked;
    this.#wantsIgnored = ignored;
    this.#pathspec = pathspec;
    this.#wantsEmpty = empty;
    this.#rules = untracked === "no" && !ignored ? undefined : ignoreRules(repository);
    this.#directories = repository.index.directories();
  }

  run(): Scan {
    this.#visit("");
    const { index } = this.#repository;
    for (const path of index.paths) {
      if (this.#seen.has(path) || !this.#pathspec.matches(path)) continue;
      const entry = index.get(path);
      if (entry?.skipWorktree || entry?.assumeValid || entry?.mode === GITLINK) {
        // A submodule that is not there is one that was not asked for.
        continue;
      }
      this.#scan.changes.set(path, { status: "D", mode: undefined, attr: undefined, oid: undefined });
    }
    this.#scan.untracked.sort(compareNames);
    this.#scan.ignored.sort(compareNames);
    return this.#scan;
  }

  #visit(directory: string): void {
    if (!this.#pathspec.mayMatchUnder(directory)) return;
    const { index } = this.#repository;
    for (const { name, attr } of this.#list(directory)) {
      if (name === ".git") continue;
      const path = joined(directory, name);
      if (attr.kind === "dir") {
        if (index.get(path)?.mode === GITLINK) this.#compareNested(index.get(path)!);
        else if (this.#directories.has(path)) this.#visit(path);
        else this.#untrackedDirectory(path);
      } else if (attr.kind === "file" || attr.kind === "symlink") {
        if (index.has(path)) this.#compare(path, attr);
        else this.#untrackedFile(path);
      }
    }
  }

  #list(directory: string): Dirent[] {
    const entries = this.#repository.files.list(this.#repository.inWorkTree(directory));
    if (this.#rules !== undefined) {
      const own = entries.find(({ name, attr }) => name === ".gitignore" && attr.kind === "file");
      this.#rules.know(directory, own && new TextDecoder().decode(this.#repository.files.contents(own.attr)));
    }
    return entries;
  }

  #compare(path: string, attr: Attr): void {
    this.#seen.add(path);
    const { index } = this.#repository;
    const entry = index.get(path);
    // A path in conflict has nothing that it could be compared with.
    if (entry === undefined || entry.skipWorktree || entry.assumeValid || !this.#pathspec.matches(path)) return;
    const status = workStatus(this.#repository, entry, attr);
    if (status === undefined) return;
    const mode =
      entry.mode !== SYMLINK && attr.kind === "file" && !this.#repository.keepsFileMode ? entry.mode : modeOf(attr);
    this.#scan.changes.set(path, { status, mode, attr, oid: undefined });
  }

  #compareNested(entry: IndexEntry): void {
    this.#seen.add(entry.path);
    if (!this.#pathspec.matches(entry.path)) return;
    const oid = nestedHead(this.#repository, entry.path);
    if (oid === undefined || oid === entry.oid) return;
    this.#scan.changes.set(entry.path, { status: "M", mode: GITLINK, attr: undefined, oid });
  }

  #untrackedFile(path: string): void {
    if (this.#rules === undefined || !this.#pathspec.matches(path)) return;
    if (this.#rules.isIgnored(path, false)) {
      if (this.#wantsIgnored) this.#scan.ignored.push(path);
    } else if (this.#untracked !== "no") this.#scan.untracked.push(path);
  }

  #untrackedDirectory(path: string): void {
    const rules = this.#rules;
    if (rules === undefined || !this.#pathspec.mayMatchUnder(path)) return;
    if (rules.isIgnored(path, true)) {
      if (this.#wantsIgnored && this.#hasFiles(path)) this.#scan.ignored.push(`${path}/`);
      return;
    }
    if (nestedHead(this.#repository, path) !== undefined) {
      if (this.#untracked !== "no") this.#scan.untracked.push(`${path}/`);
      return;
    }
    const whole = this.#untracked === "normal" && this.#pathspec.matches(path);
    const untracked = this.#scan.untracked.length;
    const ignored = this.#scan.ignored.length;
    if (whole && this.#wantsEmpty && this.#list(path).length === 0) {
      this.#scan.untracked.push(`${path}/`);
      return;
    }
    if (whole && !this.#wantsIgnored) {
      if (this.#hasUntracked(path)) this.#scan.untracked.push(`${path}/`);
      return;
    }
    for (const { name, attr } of this.#list(path)) {
      const child = joined(path, name);
      if (attr.kind === "dir") this.#untrackedDirectory(child);
      else if (attr.kind === "file" || attr.kind === "symlink") this.#untrackedFile(child);
    }
    if (!whole) return;
    if (this.#scan.untracked.length > untracked)
      this.#scan.untracked.splice(untracked, Number.POSITIVE_INFINITY, `${path}/`);
    else if (this.#scan.ignored.length > ignored)
      this.#scan.ignored.splice(ignored, Number.POSITIVE_INFINITY, `${path}/`);
  }

  #hasFiles(path: string): boolean {
    return this.#repository.files
      .list(this.#repository.inWorkTree(path))
      .some(({ name, attr }) => attr.kind !== "dir" || this.#hasFiles(joined(path, name)));
  }

  /** Whether anything in a directory is neither tracked nor ignored. */
  #hasUntracked(path: string): boolean {
    const entries = this.#list(path);
    if (this.#wantsEmpty && entries.length === 0) return true;
    if (entries.some(({ name, attr }) => attr.kind !== "dir" && !this.#rules!.isIgnored(joined(path, name), false)))
      return true;
    return entries.some(({ name, attr }) => {
      const child = joined(path, name);
      if (attr.kind !== "dir" || this.#rules!.isIgnored(child, true)) return false;
      return nestedHead(this.#repository, child) !== undefined || this.#hasUntracked(child);
    });
  }
}

/** How a file differs from what is staged; undefined where it does not. The index remembers a file that was read and found equal. */
export function workStatus(repository: Repository, entry: IndexEntry, attr: Attr): WorkChange["status"] | undefined {
  if (entry.intentToAdd) return "A";
  const isLink = attr.kind === "symlink";
  if (isLink !== (entry.mode === SYMLINK)) return "T";
  const modeChanged = !isLink && repository.keepsFileMode && modeOf(attr) !== entry.mode;
  if (isUnchanged(entry, attr, repository.index.time)) return modeChanged ? "M" : undefined;
  const sized = entry.stamp.size !== 0 && entry.stamp.size !== attr.size >>> 0;
  if (sized || fileOid(repository, entry.path, attr) !== entry.oid) return "M";
  repository.index.restamp({ ...entry, stamp: stampOf(attr) });
  return modeChanged ? "M" : undefined;
}

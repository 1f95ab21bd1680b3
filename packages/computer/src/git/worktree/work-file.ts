/** Files of the work tree: what would be staged of them, and how they are written. */

import type { Attr } from "@cloudflare/dofs";
import { joined } from "../files/repository-path.ts";
import { GitError } from "../git-error.ts";
import { type IndexEntry, indexEntry, modeOf, stampOf } from "../index-file/index-entry.ts";
import { isOid, oidOf } from "../objects/object-id.ts";
import { EXECUTABLE, GITLINK, SYMLINK } from "../objects/tree.ts";
import type { Repository } from "../repository/repository.ts";
import { toRepository, toWorkTree } from "./line-endings.ts";

/** What would be staged of a file or link; `ENOENT` where there is none. */
export function fileContents(repository: Repository, path: string, known?: Attr): Uint8Array {
  const attr = known ?? repository.statInWorkTree(path);
  if (attr === undefined || (attr.kind !== "file" && attr.kind !== "symlink")) {
    throw new GitError("ENOENT", `could not open '${path}': No such file or directory`);
  }
  const data = repository.files.contents(attr);
  return attr.kind === "symlink" ? data : toRepository(repository, path, data);
}

export function fileOid(repository: Repository, path: string, attr: Attr): string {
  return oidOf("blob", fileContents(repository, path, attr));
}

/** The entry that a file is staged as; its contents are taken into the objects. */
export function stagedEntry(repository: Repository, path: string, attr: Attr): IndexEntry {
  const oid = repository.objects.write("blob", fileContents(repository, path, attr));
  return indexEntry(path, stagedMode(repository, path, attr), oid, 0, stampOf(attr));
}

/** The mode that a file is staged with: where executable bits are not kept, the one it has. */
export function stagedMode(repository: Repository, path: string, attr: Attr): number {
  const mode = modeOf(attr);
  if (mode === SYMLINK || repository.keepsFileMode) return mode;
  const there = repository.index.get(path)?.mode;
  return there !== undefined && there !== SYMLINK && there !== GITLINK ? there : 0o100644;
}

/** Writes an entry of a tree as a file or link, whatever was there before (nothing, where `fresh`); the entry with a look at it. */
export function writeWorkFile(
  repository: Repository,
  path: string,
  mode: number,
  oid: string,
  { fresh = false }: { fresh?: boolean } = {},
): IndexEntry {
  const { files } = repository;
  const place = repository.inWorkTree(path);
  if (mode === GITLINK) {
    files.makeDirectory(place);
    return indexEntry(path, mode, oid);
  }
  const { data } = repository.objects.read(oid, "blob");
  const there = fresh ? undefined : files.stat(place);
  if (there !== undefined && (there.kind !== "file" || mode === SYMLINK)) files.remove(place);
  if (mode === SYMLINK)
    return indexEntry(path, mode, oid, 0, stampOf(files.link(place, new TextDecoder().decode(data))));
  const permissions = mode === EXECUTABLE ? 0o755 : 0o644;
  const slash = place.lastIndexOf("/");
  if (there === undefined) {
    const parent = files.makeDirectory(place.slice(0, slash) || "/");
    const made = files.create(parent, place.slice(slash + 1), toWorkTree(repository, path, data), permissions);
    return indexEntry(path, mode, oid, 0, stampOf(made));
  }
  let attr = files.write(place, toWorkTree(repository, path, data), permissions);
  if ((attr.mode & 0o100) !== (permissions & 0o100)) attr = files.chmod(attr, permissions);
  return indexEntry(path, mode, oid, 0, stampOf(attr));
}

/** Removes a file of the work tree, and the directories that are empty without it. */
export function removeWorkFile(repository: Repository, path: string): void {
  const place = repository.inWorkTree(path);
  const attr = repository.files.stat(place);
  if (attr === undefined || attr.kind === "dir") return;
  repository.files.remove(place);
  repository.files.removeEmptyDirectories(place.slice(0, place.lastIndexOf("/")), repository.workTree);
}

/** The commit that a repository inside of this one is at; undefined where there is none. */
export function nestedHead(repository: Repository, path: string): string | undefined {
  const { files } = repository;
  const dot = repository.inWorkTree(joined(path, ".git"));
  const attr = files.stat(dot);
  if (attr === undefined) return undefined;
  const target = attr.kind === "file" ? /^gitdir: (.*)$/m.exec(files.text(dot) ?? "")?.[1] : undefined;
  const gitDir =
    target === undefined
      ? dot
      : files.real(target.startsWith("/") ? target : `${repository.inWorkTree(path)}/${target}`);
  const head = files.text(`${gitDir}/HEAD`)?.trim();
  if (head === undefined) return undefined;
  if (isOid(head)) return head;
  const ref = head.replace(/^ref: */, "");
  const loose = files.text(`${gitDir}/${ref}`)?.trim();
  if (loose !== undefined && isOid(loose)) return loose;
  const packed = files
    .text(`${gitDir}/packed-refs`)
    ?.split("\n")
    .find((line) => line.endsWith(` ${ref}`));
  return packed?.slice(0, 40) ?? "";
}

/** Whether a directory is a repository of its own. */
export function isNested(repository: Repository, path: string): boolean {
  return nestedHead(repository, path) !== undefined;
}

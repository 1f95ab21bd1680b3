/** A repository in the same workspace. */

import type { GitFiles } from "../files/git-files.ts";
import { fatal } from "../git-error.ts";
import { NULL_OID } from "../objects/object-id.ts";
import { peelTags } from "../objects/read-objects.ts";
import { discover, isGitDirectory } from "../repository/discover.ts";
import { Repository } from "../repository/repository.ts";
import { newObjects } from "./new-objects.ts";
import type { Advertisement, FetchAnswer, FetchRequest, PushAnswer, PushCommand, Remote } from "./remote.ts";

export class LocalRemote implements Remote {
  readonly url: string;
  readonly #open: () => Repository;
  readonly #step: <T>(work: () => T) => T;

  constructor(url: string, open: () => Repository, step: <T>(work: () => T) => T) {
    this.url = url;
    this.#open = open;
    this.#step = step;
  }

  async refs(): Promise<Advertisement> {
    const { refs, objects } = this.#open();
    const found = new Map<string, string>();
    const peeled = new Map<string, string>();
    if (refs.head !== undefined) found.set("HEAD", refs.head);
    for (const { name, oid } of refs.list()) {
      found.set(name, oid);
      const end = peelTags(objects, oid);
      if (end !== oid) peeled.set(name, end);
    }
    return { refs: found, peeled, head: refs.branch, capabilities: new Set() };
  }

  async fetch({ wants, haves, includeTags }: FetchRequest): Promise<FetchAnswer> {
    return {
      shallow: [],
      unshallow: [],
      install: (repository) => {
        const { objects, refs } = this.#open();
        const oids = new Set(newObjects(objects, wants, haves));
        if (includeTags) {
          for (const { name, oid } of refs.list("refs/tags/"))
            if (name !== "" && oids.has(peelTags(objects, oid))) oids.add(oid);
        }
        for (const oid of oids) {
          const { type, data } = objects.read(oid);
          repository.objects.write(type, data);
        }
        repository.objects.flush();
      },
    };
  }

  async push(commands: readonly PushCommand[], repository: Repository, oids: readonly string[]): Promise<PushAnswer> {
    return this.#step(() => {
      const there = this.#open();
      const refs = new Map<string, string | undefined>();
      for (const oid of oids) {
        const { type, data } = repository.objects.read(oid);
        there.objects.write(type, data);
      }
      there.objects.flush();
      for (const { ref, to } of commands) {
        const refused = refusal(there, ref);
        if (refused === undefined) {
          if (to === NULL_OID) there.refs.delete(ref);
          else there.refs.update(ref, to, "push");
        }
        refs.set(ref, refused);
      }
      return { unpack: undefined, refs, messages: "" };
    });
  }
}

/** The branch that a work tree is on is not moved under it. */
function refusal(there: Repository, ref: string): string | undefined {
  if (there.isBare || there.refs.branch !== ref) return undefined;
  return "branch is currently checked out";
}

/** The repository at a path, which may be a work tree, a bare one, or the `.git` of one. */
export function openLocal(files: GitFiles, path: string, surroundings: Repository["surroundings"]): Repository {
  for (const place of [path, `${path}/.git`, `${path}.git`]) {
    const real = files.real(place);
    if (isGitDirectory(files, real) && !place.endsWith("/.git"))
      return new Repository({ gitDir: real, commonDir: real, workTree: undefined }, surroundings);
    if (place.endsWith("/.git") && files.stat(place) !== undefined)
      return new Repository(discover(files, path), surroundings);
  }
  throw fatal(`repository '${path}' does not exist`, "ENOTAREPO");
}

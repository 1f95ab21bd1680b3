/** A repository elsewhere, however it is reached. */

import type { Repository } from "../repository/repository.ts";

/** What a remote says it has. */
export interface Advertisement {
  /** By full name, HEAD among them. */
  readonly refs: ReadonlyMap<string, string>;
  /** What annotated tags lead to, by the tag's name. */
  readonly peeled: ReadonlyMap<string, string>;
  /** The branch that HEAD is on. */
  readonly head: string | undefined;
  readonly capabilities: ReadonlySet<string>;
}

export interface FetchRequest {
  readonly wants: readonly string[];
  readonly haves: readonly string[];
  /** Commits at which the history here ends. */
  readonly shallow: readonly string[];
  readonly depth?: number | undefined;
  readonly includeTags: boolean;
}

export interface FetchAnswer {
  readonly shallow: readonly string[];
  readonly unshallow: readonly string[];
  /** Takes the objects that came into a repository; within one step. */
  install(repository: Repository): void;
}

/** One reference to be changed. */
export interface PushCommand {
  readonly ref: string;
  /** All zeros for none. */
  readonly from: string;
  readonly to: string;
}

export interface PushAnswer {
  /** Undefined where the objects were taken. */
  readonly unpack: string | undefined;
  /** Why a reference was not changed; undefined for one that was. */
  readonly refs: ReadonlyMap<string, string | undefined>;
  readonly messages: string;
}

export interface Remote {
  /** As it is shown. */
  readonly url: string;
  refs(service: "git-upload-pack" | "git-receive-pack"): Promise<Advertisement>;
  fetch(request: FetchRequest): Promise<FetchAnswer>;
  push(commands: readonly PushCommand[], repository: Repository, oids: readonly string[]): Promise<PushAnswer>;
}

/** Trees of files from elsewhere that a workspace shows in place of a directory. */

import type { SQLiteWorkspaceProvider } from "@cloudflare/dofs";

/** What every mount says of itself. */
export interface MountBase {
  /** Names its source, e.g. `r2`. */
  readonly kind: string;
  /** Whether its files can be changed; changes never go back to where it came from. */
  readonly mode: "read-only" | "read-write";
  /** Bytes of contents at most. Default no limit. */
  readonly maxBytes?: number | undefined;
  /** Files and directories at most. Default no limit. */
  readonly maxEntries?: number | undefined;
  /**
   * Says what state of the source it shows: while this is the same, a read-only mount is not brought over anew. Without one, each new
   * `Workspace` brings it over.
   */
  readonly version?: string | (() => Promise<string>) | undefined;
}

/** A mount whose files are brought over whole, before any of them shows. */
export interface EagerMount extends MountBase {
  readonly strategy: "eager";
  /** Writes every file; what it throws, those who wanted the files get. */
  materialize(api: MountWriteAPI): Promise<void>;
}

/** A mount. */
export type Mount = EagerMount;

/** Where a mount writes its files. They show once all are there. */
export interface MountWriteAPI {
  /** The directory that the mount stands for; every path lies under it. */
  readonly root: string;
  /** Makes missing parents. Permission bits, default 0o644. */
  writeFile(absPath: string, source: ReadableStream<Uint8Array>, mode?: number): Promise<void>;
  /** Makes missing parents, and takes one that is there. Permission bits, default 0o755. */
  mkdir(absPath: string, mode?: number): Promise<void>;
}

/** What a mount can be made with. */
export interface MountContext {
  sessionId: string;
  root: string;
  /** The workspace's files. */
  vfs: SQLiteWorkspaceProvider;
}

export type MountFactory = (ctx: MountContext) => Mount;

/** A mount, or what makes one. */
export type MountValue = EagerMount | MountFactory;

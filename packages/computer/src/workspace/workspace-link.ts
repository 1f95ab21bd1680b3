/** A client's way to a workspace, found when it is first needed and found again when it was lost. */

import { ComputerError } from "@cloudflare/computer-rpc";
import { revivedError } from "../stubs/revived-error.ts";
import type { RemoteWorkspace } from "./remote-workspace.ts";
import type { Workspace } from "./workspace.ts";
import { WORKSPACE, type WorkspaceHandle, type WorkspaceSource } from "./workspace-host.ts";

/** Where the workspace is: in this isolate, or behind a stub. */
export type Link = { readonly local: Workspace } | { readonly remote: RemoteWorkspace };

export class WorkspaceLink {
  readonly #source: WorkspaceSource;
  #link: Promise<Link> | undefined;
  #disposed = false;

  constructor(source: WorkspaceSource) {
    this.#source = source;
  }

  /** The workspace, where it is known without waiting to be in this isolate. */
  get here(): Workspace | undefined {
    return typeof this.#source === "function" ? undefined : localOf(this.#source);
  }

  /** Calls with the link; an error comes as the class it was where it was thrown. */
  async use<T>(call: (link: Link) => T | PromiseLike<T>): Promise<T> {
    if (this.#disposed) {
      throw new ComputerError(
        "EUNAVAILABLE",
        "This client of a workspace was disposed: make another with getWorkspace().",
      );
    }
    this.#link ??= this.#find();
    const found = this.#link;
    try {
      return await call(await found);
    } catch (error) {
      const revived = revivedError(error);
      // What is no error of the workspace's own may be the stub's: an object that was restarted breaks its stubs for good.
      if (revived === error && isRemote(error) && this.#link === found) {
        this.#link = undefined;
        letGo(found);
      }
      throw revived;
    }
  }

  dispose(): void {
    this.#disposed = true;
    if (this.#link !== undefined) letGo(this.#link);
    this.#link = undefined;
  }

  async #find(): Promise<Link> {
    try {
      const handle = typeof this.#source === "function" ? await this.#source() : this.#source;
      const local = localOf(handle);
      if (local !== undefined) return { local };
      return { remote: await remoteOf(handle) };
    } catch (error) {
      this.#link = undefined;
      throw error;
    }
  }
}

function localOf(handle: WorkspaceHandle): Workspace | undefined {
  return (handle as { [WORKSPACE]?: Workspace })[WORKSPACE];
}

async function remoteOf(handle: WorkspaceHandle): Promise<RemoteWorkspace> {
  if (!("__getWorkspaceStub" in handle)) {
    throw new ComputerError(
      "EOPTION",
      "getWorkspace takes an object whose class was made with withWorkspace(), a stub of one, or a function that gives either.",
    );
  }
  return (await handle.__getWorkspaceStub()) as RemoteWorkspace;
}

function isRemote(error: unknown): boolean {
  return typeof error === "object" && error !== null && !(error instanceof ComputerError);
}

function letGo(link: Promise<Link>): void {
  link.then(
    (found) => {
      if ("remote" in found) found.remote[Symbol.dispose]();
    },
    () => {},
  );
}

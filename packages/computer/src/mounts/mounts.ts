/** The mounts of a workspace: brought over when they are first needed, all of a mount's files at once. */

import { ComputerError } from "@cloudflare/computer-rpc";
import {
  type Database,
  FsError,
  type InodeStore,
  type SQLiteWorkspaceProvider,
  WorkspaceFilesystem,
} from "@cloudflare/dofs";
import { absolutePath } from "../files/absolute-path.ts";
import type { Mount, MountValue } from "./mount.ts";
import { type MountRecord, MountRecords } from "./mount-records.ts";
import { checkRoots, isWithin } from "./mount-roots.ts";
import { STAGING, StagedMount } from "./staged-mount.ts";

export interface MountsOptions {
  readonly db: Database;
  readonly store: InodeStore;
  readonly vfs: SQLiteWorkspaceProvider;
  readonly sessionId: string;
  readonly mounts: Readonly<Record<string, MountValue>>;
}

export class Mounts {
  /** By the directories they stand for. */
  readonly all: Map<string, Mount>;
  readonly #store: InodeStore;
  readonly #vfs: SQLiteWorkspaceProvider;
  readonly #db: Database;
  readonly #records: MountRecords;
  /** Those that have not been brought over by this workspace, nor found to be as they were. */
  readonly #pending: Set<string>;
  #inFlight: Promise<void> | undefined;

  /** Makes the read-only ones read-only at once, and removes what former mounts have left. `EOPTION` for roots that cannot be. */
  constructor({ db, store, vfs, sessionId, mounts }: MountsOptions) {
    checkRoots(Object.keys(mounts));
    this.#db = db;
    this.#store = store;
    this.#vfs = vfs;
    this.#records = new MountRecords(db);
    this.all = new Map(
      Object.entries(mounts).map(([root, value]) => [
        root,
        typeof value === "function" ? value({ sessionId, root, vfs }) : value,
      ]),
    );
    this.#pending = new Set(this.all.keys());
    this.#unmountOthers();
    this.#protect();
  }

  /**
   * Brings over what has not been, and with `refresh` what has changed since; one at a time, and everybody who asks meanwhile waits for the
   * same. A mount that fails leaves what was there before, and is tried again by the next who asks.
   */
  ensure(refresh = false): Promise<void> {
    if (refresh) {
      const before = this.#inFlight ?? Promise.resolve();
      return this.#run(before.catch(() => {}).then(() => this.#index([...this.all.keys()])));
    }
    if (this.#inFlight !== undefined) return this.#inFlight;
    if (this.#pending.size === 0) return Promise.resolve();
    return this.#run(this.#index([...this.#pending]));
  }

  /** Waits until the mounts that a path may lead into, or that lie under it, are there. */
  async reach(...paths: readonly unknown[]): Promise<void> {
    const touches = (): boolean =>
      this.#pending.size > 0 && paths.some((path) => typeof path === "string" && this.#touches(path));
    if (!touches()) return;
    try {
      await this.ensure();
    } catch (error) {
      // Of a mount that has nothing to do with the path.
      if (touches()) throw error;
    }
  }

  #run(work: Promise<void>): Promise<void> {
    const run = work.finally(() => {
      if (this.#inFlight === run) this.#inFlight = undefined;
    });
    this.#inFlight = run;
    return run;
  }

  async #index(roots: readonly string[]): Promise<void> {
    const failed: unknown[] = [];
    for (const root of roots) {
      const mount = this.all.get(root);
      if (mount === undefined) continue;
      try {
        await this.#bringOver(root, mount);
        this.#pending.delete(root);
      } catch (error) {
        failed.push(
          new ComputerError(
            "EUNAVAILABLE",
            `The mount ${root} (${mount.kind}) could not be brought over: ${error instanceof Error ? error.message : error}`,
            { cause: error },
          ),
        );
      }
    }
    if (failed.length > 0) throw failed[0];
  }

  async #bringOver(root: string, mount: Mount): Promise<void> {
    const version = (typeof mount.version === "function" ? await mount.version() : mount.version) ?? null;
    const record = this.#records.all().find((each) => each.root === root);
    if (record !== undefined && this.#vfs.existsSync(root) && isCurrent(record, mount, version)) return;
    if (record === undefined) this.#checkPlace(root);
    const staged = new StagedMount(new WorkspaceFilesystem(this.#db), root, mount);
    try {
      await mount.materialize(await staged.begin());
      staged.close();
      this.#show(staged.path, { root, kind: mount.kind, mode: mount.mode, version });
    } catch (error) {
      await staged.discard();
      throw error;
    }
  }

  /** Puts the new files in the place of the old ones, in one step. */
  #show(staged: string, record: MountRecord): void {
    const { root } = record;
    this.#unprotected(() => {
      this.#removeTree(root);
      this.#vfs.mkdirSync(parentOf(root), { recursive: true });
      this.#vfs.renameSync(staged, root);
      this.#records.put(record);
    });
  }

  /** Files of the workspace's own are not to disappear under a mount. */
  #checkPlace(root: string): void {
    if (this.#vfs.existsSync(root) && this.#vfs.readdirSync(root).length > 0) {
      throw new FsError("ENOTEMPTY", {
        syscall: "mount",
        path: root,
        detail: "there are files of the workspace's own: move them away, or mount elsewhere",
      });
    }
  }

  /** What is no longer mounted goes, unless its files could have been changed. */
  #unmountOthers(): void {
    for (const { root, mode } of this.#records.all()) {
      if (this.all.has(root)) continue;
      this.#unprotected(() => {
        if (mode === "read-only") this.#removeTree(root);
        this.#records.remove(root);
      });
    }
    // Of a workspace that came to its end in the middle of it.
    if (this.all.size > 0) this.#unprotected(() => this.#removeTree(STAGING));
  }

  #removeTree(path: string): void {
    if (!this.#exists(path)) return;
    this.#store.removeTree(this.#vfs.statSync(parentOf(path)).ino, path.slice(path.lastIndexOf("/") + 1));
  }

  #exists(path: string): boolean {
    try {
      this.#vfs.lstatSync(path);
      return true;
    } catch {
      return false;
    }
  }

  #unprotected(work: () => void): void {
    this.#store.setReadOnlyRoots([]);
    try {
      this.#store.transaction(work);
    } finally {
      this.#protect();
    }
  }

  #protect(): void {
    this.#store.setReadOnlyRoots([...this.all].filter(([, { mode }]) => mode === "read-only").map(([root]) => root));
  }

  /** Whether a path lies in a mount that is not there yet, or above one, or goes through a link, which may lead to one. */
  #touches(path: string): boolean {
    const plain = absolutePath("/", path);
    if ([...this.#pending].some((root) => isWithin(plain, root) || isWithin(root, plain))) return true;
    const names = path.split("/").filter((name) => name !== "");
    return names.some((_, index) => this.#isLink(`/${names.slice(0, index + 1).join("/")}`));
  }

  #isLink(path: string): boolean {
    return this.#exists(path) && this.#vfs.lstatSync(path).isSymbolicLink();
  }
}

/** Files that can be changed are the workspace's own from when they were first brought over. */
function isCurrent(record: MountRecord, { kind, mode }: Mount, version: string | null): boolean {
  if (record.kind !== kind || record.mode !== mode) return false;
  return mode === "read-write" || (version !== null && record.version === version);
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}

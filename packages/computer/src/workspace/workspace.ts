/** A workspace: files in a Durable Object, and computers that run things over them. */

import { createHash } from "node:crypto";
import { ComputerError } from "@cloudflare/computer-rpc";
import { Database, SQLiteWorkspaceProvider, SqlStore, WorkspaceFilesystem } from "@cloudflare/dofs";
import type { ArtifactClient } from "../artifacts/artifact-client.ts";
import { createArtifact } from "../artifacts/create-artifact.ts";
import { noArtifacts } from "../artifacts/no-artifacts.ts";
import type { AssetsClient } from "../assets/assets-client.ts";
import { Computers } from "../computer/computers.ts";
import { liftBackend } from "../computer/lift-backend.ts";
import { forwardingGit } from "../git/client/forwarding-git.ts";
import type { GitClient } from "../git/client/git-client.ts";
import { noGit } from "../git/client/no-git.ts";
import type { Mount } from "../mounts/mount.ts";
import { MountedFilesystem } from "../mounts/mounted-filesystem.ts";
import { Mounts } from "../mounts/mounts.ts";
import { noopObserver, type WorkspaceObserver } from "../observe/observer.ts";
import { checkOptions } from "../options/check-options.ts";
import { OutputFiles } from "../runtime/output-files.ts";
import { RuntimeRouter, type RuntimeRouterOptions } from "../runtime/runtime-router.ts";
import type { WorkspaceRuntime } from "../runtime/workspace-runtime.ts";
import { WorkspaceStub } from "../stubs/workspace-stub.ts";
import type { SyncProgress } from "../sync/progress.ts";
import { createSyncLogger } from "../sync/sync-logger.ts";
import { type WorkspaceOptionsOf, workspaceOptions } from "./workspace-options.ts";

const OUTPUT = { maxLines: 2000, maxBytes: 65_536, dir: "/.computer/output", keep: 50 };

/** What a workspace is made with. */
export interface WorkspaceOptions extends WorkspaceOptionsOf<Workspace> {}

/**
 * Files, and what runs over them. Nothing is connected until it is used.
 *
 * @example
 * const workspace = new Workspace({ storage: ctx.storage, backends: [new ContainerBackend({ … })] });
 * await workspace.fs.mkdir("/workspace", { recursive: true });
 * await workspace.fs.writeFile("/workspace/hello.txt", "hello");
 * using run = await workspace.runtime.exec("cat hello.txt", { encoding: "utf8" });
 */
export class Workspace {
  readonly db: Database;
  readonly observer: WorkspaceObserver;
  readonly fs: WorkspaceFilesystem;
  readonly sessionId: string;
  /** Shares files by links; undefined where the option `assets` was not given. */
  readonly assets: AssetsClient | undefined;
  /** Git over the files; each call fails where the option `git` was not given. */
  readonly git: GitClient;
  /** Git repositories that outlive the workspace; each call fails where the option `artifacts` was not given. */
  readonly artifacts: ArtifactClient;
  readonly runtime: WorkspaceRuntime;
  readonly #computers: Computers;
  readonly #mounts: Mounts;
  #provider: SQLiteWorkspaceProvider | undefined;

  /** `EOPTION` for an option that there is not, and for two backends of one id. */
  constructor(options: WorkspaceOptions) {
    checkOptions(workspaceOptions, options, "Workspace");
    const { storage, backends = [], now = Date.now, observer = noopObserver } = options;
    this.#computers = new Computers(backends.map(liftBackend));
    this.db = new Database(storage);
    const store = SqlStore.open(this.db, { sha256, now });
    this.observer = observer;
    this.sessionId = options.sessionId ?? crypto.randomUUID();
    const { mounts = {} } = options;
    this.#mounts = new Mounts({ db: this.db, store, vfs: this.provider(), sessionId: this.sessionId, mounts });
    // Computers wait for all mounts before they begin, and want each change made within its call.
    const files = new WorkspaceFilesystem(this.db, { now });
    this.fs = this.#mounts.all.size === 0 ? files : new MountedFilesystem(this.db, this.#mounts, { now });
    this.git = this.#gitOf(options);
    const { artifacts } = options;
    this.artifacts = artifacts === undefined ? noArtifacts() : createArtifact(artifacts.binding, artifacts.sessionId);
    this.assets = typeof options.assets === "function" ? options.assets(this) : options.assets;
    const output = outputOf(files, options.output);
    this.runtime = new RuntimeRouter({ computers: this.#computers, observer, output });
    this.#computers.serve({
      db: this.db,
      fs: files,
      store,
      runtime: this.runtime,
      git: this.git,
      artifacts: this.artifacts,
      ...(this.assets === undefined ? {} : { assets: this.assets }),
      observer,
      syncLogger: options.syncTelemetry ?? createSyncLogger({ enabled: options.syncTelemetryEnabled === true }),
      now,
      ready: () => this.#mounts.ensure(),
    });
  }

  /**
   * Brings over the mounts that are not there yet, and with `refresh` what has changed in them since. What is used first does it too:
   * files by path, a run, `pull` and `push`; only `provider()` does not wait. `EUNAVAILABLE` with what the source said, and what was there
   * before stays.
   */
  async ensureMountsIndexed(options: { refresh?: boolean } = {}): Promise<void> {
    await this.#mounts.ensure(options.refresh === true);
  }

  /** The mounts by the directories they stand for. */
  mounts(): Map<string, Mount> {
    return new Map(this.#mounts.all);
  }

  /** Connects a computer now: the default, the one named, or with `{ all: true }` each. With no backend it does nothing. */
  async ready(options?: string | { all?: boolean }): Promise<void> {
    const all = this.#computers.list();
    if (typeof options === "string") await this.#computers.session(this.#computers.get(options).id);
    else if (options?.all === true) await Promise.all(all.map(({ id }) => this.#computers.session(id)));
    else if (all[0] !== undefined) await this.#computers.session(all[0].id);
  }

  /** The files as Node's `fs` has them, synchronous calls too; for libraries that want it, such as isomorphic-git. */
  provider(): SQLiteWorkspaceProvider {
    this.#provider ??= new SQLiteWorkspaceProvider(this.db);
    return this.#provider;
  }

  /** What another isolate gets of this workspace over Workers RPC. */
  stub(): WorkspaceStub {
    return new WorkspaceStub(this);
  }

  /** Takes over what changed on a computer, the default unless another is named; goes on where an earlier pull stopped. */
  pull(id?: string): AsyncIterable<SyncProgress> {
    return this.#sync("pull", id);
  }

  /** Brings a computer's files up to date, so that the next run starts sooner. */
  push(id?: string): AsyncIterable<SyncProgress> {
    return this.#sync("push", id);
  }

  /** Ends the connections to computers; the computers and the files stay. The workspace's files can still be used. */
  async close(): Promise<void> {
    await this.#computers.close();
  }

  /** Every call of git waits for the mounts, as those of the files do. */
  #gitOf({ git: make, defaultGitIdentity: defaultIdentity }: WorkspaceOptions): GitClient {
    if (make === undefined) return noGit();
    const git = make({ ws: this, defaultIdentity });
    if (this.#mounts.all.size === 0) return git;
    return forwardingGit(async (ask) => {
      await this.#mounts.ensure();
      return ask(git);
    });
  }

  async *#sync(direction: "pull" | "push", id: string | undefined): AsyncGenerator<SyncProgress> {
    const computer = this.#computers.get(id);
    const session = await this.#computers.session(computer.id);
    if (session[direction] === undefined) {
      throw new ComputerError(
        "EOPTION",
        `Computer ${computer.id} works on the workspace's own files: there is nothing to ${direction}.`,
      );
    }
    yield* session[direction]();
  }
}

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash("sha256").update(bytes).digest();
}

function outputOf(fs: WorkspaceFilesystem, options: WorkspaceOptions["output"]): RuntimeRouterOptions["output"] {
  if (options === false) return undefined;
  const { maxLines, maxBytes, dir, keep } = { ...OUTPUT, ...defined(options ?? {}) };
  return { limits: { maxLines, maxBytes }, files: new OutputFiles(fs, { dir, keep }) };
}

function defined<T extends object>(options: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
}

/** The provider over any store: the synchronous half, its promises, and watching. */

import type { Buffer } from "node:buffer";
import type { MkdirOptions } from "../filesystem/mkdir.ts";
import type { InodeStore } from "../inode-store.ts";
import type { EncodingOptions, WriteData } from "./bytes.ts";
import type { WatchOptions } from "./change-follower.ts";
import { type StatListener, StatWatcher } from "./stat-watcher.ts";
import {
  noStats,
  type StatOptions,
  type VirtualBigIntStatsLike,
  type VirtualDirentLike,
  type VirtualStatsLike,
} from "./stats.ts";
import { SyncProvider, type WriteOptions } from "./sync-provider.ts";
import { Watcher, WatchIterable } from "./watcher.ts";

export interface StoreProviderOptions {
  /** Milliseconds since 1970, for the times of writes that are kept in a buffer. Default `Date.now`. */
  now?: (() => number) | undefined;
  /** Kept for those who read it: nothing is polled. Default 100. */
  watchIntervalMs?: number | undefined;
}

const WATCH_INTERVAL_MS = 100;

/** Each promise is that of the synchronous call, which happens at once. */
export class StoreProvider extends SyncProvider {
  readonly now: () => number;
  readonly readonly = false as const;
  readonly supportsSymlinks = true as const;
  readonly supportsWatch = true as const;
  readonly watchIntervalMs: number;
  readonly #statWatchers = new Map<string, StatWatcher>();

  constructor(store: InodeStore, options: StoreProviderOptions = {}) {
    const now = options.now ?? Date.now;
    super(store, now);
    this.now = now;
    this.watchIntervalMs = options.watchIntervalMs ?? WATCH_INTERVAL_MS;
  }

  async open(path: string, flags?: string | number, mode?: number): Promise<number> {
    return this.openSync(path, flags, mode);
  }

  stat(path: string, options: StatOptions & { bigint: true }): Promise<VirtualBigIntStatsLike>;
  stat(path: string, options?: StatOptions): Promise<VirtualStatsLike>;
  async stat(path: string, options?: StatOptions): Promise<VirtualStatsLike | VirtualBigIntStatsLike> {
    return this.statSync(path, options);
  }

  lstat(path: string, options: StatOptions & { bigint: true }): Promise<VirtualBigIntStatsLike>;
  lstat(path: string, options?: StatOptions): Promise<VirtualStatsLike>;
  async lstat(path: string, options?: StatOptions): Promise<VirtualStatsLike | VirtualBigIntStatsLike> {
    return this.lstatSync(path, options);
  }

  readdir(path: string, options: { withFileTypes: true }): Promise<VirtualDirentLike[]>;
  readdir(path: string, options?: { withFileTypes?: false | undefined }): Promise<string[]>;
  readdir(path: string, options?: { withFileTypes?: boolean | undefined }): Promise<string[] | VirtualDirentLike[]>;
  async readdir(
    path: string,
    options?: { withFileTypes?: boolean | undefined },
  ): Promise<string[] | VirtualDirentLike[]> {
    return this.readdirSync(path, options);
  }

  async mkdir(path: string, options?: MkdirOptions): Promise<string | undefined> {
    return this.mkdirSync(path, options);
  }

  async rmdir(path: string): Promise<void> {
    this.rmdirSync(path);
  }

  async unlink(path: string): Promise<void> {
    this.unlinkSync(path);
  }

  async link(existingPath: string, newPath: string): Promise<void> {
    this.linkSync(existingPath, newPath);
  }

  async rename(oldPath: string, newPath: string): Promise<void> {
    this.renameSync(oldPath, newPath);
  }

  readFile(path: string, options?: null | { encoding?: null | undefined }): Promise<Buffer>;
  readFile(path: string, options: BufferEncoding | { encoding: BufferEncoding }): Promise<string>;
  readFile(path: string, options?: EncodingOptions): Promise<Buffer | string>;
  async readFile(path: string, options?: EncodingOptions): Promise<Buffer | string> {
    return this.readFileSync(path, options);
  }

  async writeFile(path: string, data: WriteData, options?: WriteOptions): Promise<void> {
    this.writeFileSync(path, data, options);
  }

  async appendFile(path: string, data: WriteData, options?: WriteOptions): Promise<void> {
    this.appendFileSync(path, data, options);
  }

  async exists(path: string): Promise<boolean> {
    return this.existsSync(path);
  }

  async copyFile(src: string, dest: string, mode?: number): Promise<void> {
    this.copyFileSync(src, dest, mode);
  }

  async realpath(path: string, options?: { encoding?: BufferEncoding | undefined }): Promise<string> {
    return this.realpathSync(path, options);
  }

  async access(path: string, mode?: number): Promise<void> {
    this.accessSync(path, mode);
  }

  async readlink(path: string, options?: { encoding?: BufferEncoding | undefined }): Promise<string> {
    return this.readlinkSync(path, options);
  }

  async symlink(target: string, path: string, type?: string): Promise<void> {
    this.symlinkSync(target, path, type);
  }

  /**
   * Tells what changes under a directory, or of one file, once the transaction that changed it is through: `rename` where a name came or
   * went, `change` where what it names changed. With `since` it goes on where another watch was closed.
   */
  watch(path: string, options?: WatchOptions): Watcher {
    return new Watcher(this.store, path, options);
  }

  /** The same as an iterable, which ends with its loop or with `options.signal`. */
  watchAsync(path: string, options?: WatchOptions): WatchIterable {
    return new WatchIterable(this.store, path, options);
  }

  /** Calls back with the attributes of a path, which need not exist, after they changed; the options are Node's, and nothing is polled. */
  watchFile = (path: string, options?: unknown, listener?: StatListener): StatWatcher => {
    let watcher = this.#statWatchers.get(path);
    if (watcher === undefined) {
      watcher = new StatWatcher(
        () => (this.existsSync(path) ? this.statSync(path) : noStats()),
        (changed) => this.store.subscribe(changed),
      );
      this.#statWatchers.set(path, watcher);
    }
    const given = typeof options === "function" ? (options as StatListener) : listener;
    if (given !== undefined) watcher.on("change", given);
    return watcher;
  };

  /** Takes one listener away, or all; a path without listeners is no longer looked at. */
  unwatchFile = (path: string, listener?: StatListener): void => {
    const watcher = this.#statWatchers.get(path);
    if (watcher === undefined) return;
    if (listener === undefined) watcher.removeAllListeners("change");
    else watcher.off("change", listener);
    if (watcher.listenerCount("change") > 0) return;
    watcher.stop();
    this.#statWatchers.delete(path);
  };
}

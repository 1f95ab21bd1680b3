/** The workspace as real files, for a machine on which nothing can be mounted: the same store, kept in step with a directory. */

import { watch } from "node:fs";
import { tmpdir } from "node:os";
import { localFacade, type StoreFacade } from "@cloudflare/computer-rpc";
import { BackingFiles } from "@cloudflare/dofs/node";
import type { FuseDriver, Mount, MountOptions } from "../fuse/driver.ts";
import { prepareMountPoint } from "../fuse/mount-point.ts";
import { openStore } from "../fuse/open-store.ts";
import { DirectoryMirror } from "./directory-mirror.ts";

/** Changes that come one after another are looked at together. */
const WATCH_DELAY_MS = 200;

/** A directory of real files. */
export interface FilesMount extends Mount {
  /** Says that a command has started or ended: what it changed is looked for, whether it was seen to change or not. */
  noteRun(state: "started" | "ended"): void;
}

export interface FilesDriver extends FuseDriver {
  mount(options: MountOptions): Promise<FilesMount>;
}

/**
 * Needs nothing of the machine. Changes are found by watching the directory, and for certain by looking through it when commands run or
 * have run. Contents are there from the beginning: nothing could wait for one that is read.
 */
export const filesDriver: FilesDriver = {
  name: "files",

  async mount({ root, mountPoint: path, contentsDirectory = tmpdir() }: MountOptions): Promise<FilesMount> {
    const mountPoint = await prepareMountPoint(path);
    const backing = new BackingFiles(contentsDirectory);
    const { store, root: directory } = openStore(root, { backing });
    const mirror = new DirectoryMirror({ store, directory, root, mountPoint });
    const local = localFacade(store);

    let running = 0;
    let stale = false;
    const look = (): void => {
      if (!stale && running === 0) return;
      stale = false;
      mirror.scan();
    };
    let soon: NodeJS.Timeout | undefined;
    const stopWatching = watchTree(mountPoint, () => {
      stale = true;
      soon ??= setTimeout(() => {
        soon = undefined;
        look();
      }, WATCH_DELAY_MS).unref();
    });

    const facade: StoreFacade = {
      ...local,
      rev: async () => {
        look();
        return local.rev();
      },
      entry: async (entryPath) => {
        look();
        return local.entry(entryPath);
      },
      apply: async (entries, options) => {
        // What commands did before comes before what the workspace says now.
        look();
        const { result, touched } = store.touchedBy(() => local.apply(entries, options));
        const outcome = await result;
        mirror.show(touched);
        return outcome;
      },
    };
    return {
      mountPoint,
      store: facade,
      noteRun: (state) => {
        running += state === "started" ? 1 : -1;
        stale = true;
      },
      close: async () => {
        clearTimeout(soon);
        stopWatching();
        backing.close();
      },
    };
  },
};

/** Tells of changes where the machine can; returns the way to stop. */
function watchTree(path: string, changed: () => void): () => void {
  try {
    const watcher = watch(path, { recursive: true, persistent: false }, changed);
    // There may be more directories than the machine can watch: then runs alone say when to look.
    watcher.on("error", () => watcher.close());
    return () => watcher.close();
  } catch {
    return () => {};
  }
}

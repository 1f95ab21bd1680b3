/** Mounts through fuse-native, that is libfuse 2: for machines where the kernel's own protocol cannot be spoken. */

import { tmpdir } from "node:os";
import { localFacade } from "@cloudflare/computer-rpc";
import { BackingFiles } from "@cloudflare/dofs/node";
import type { FuseDriver, Mount, MountOptions } from "./driver.ts";
import { type FuseNative, loadFuseNative, mendUtimens } from "./fuse-native.ts";
import { prepareContentsDirectory, prepareMountPoint, requireFuseDevice, unmount } from "./mount-point.ts";
import { openStore } from "./open-store.ts";
import { pathOperations } from "./path-operations.ts";

/**
 * Requests are answered on the main thread of this process, which therefore must not touch the mount with a synchronous call.
 *
 * The kernel is told to keep no names and attributes, since libfuse 2 cannot tell it what has changed.
 */
export const fuseNativeDriver: FuseDriver = {
  name: "fuse-native",

  async mount(given: MountOptions): Promise<Mount> {
    const { root: rootPath, mountPoint: path, name, fetchAbsent, contentsDirectory = tmpdir() } = given;
    await requireFuseDevice();
    const Fuse = loadFuseNative();
    await prepareContentsDirectory(contentsDirectory);
    const mountPoint = await prepareMountPoint(path);
    const backing = new BackingFiles(contentsDirectory);
    const { store, root } = openStore(rootPath, { backing });
    const fuse = new Fuse(mountPoint, pathOperations(store, root, fetchAbsent), { timeout: false });
    fuse._fuseOptions = () => `-o${mountOptions(name).join(",")}`;
    mendUtimens(fuse);
    try {
      await new Promise<void>((resolve, reject) => fuse.mount((error) => (error === null ? resolve() : reject(error))));
    } catch (error) {
      backing.close();
      throw error;
    }
    let closed: Promise<void> | undefined;
    const close = (): Promise<void> => {
      closed ??= release(fuse, mountPoint).finally(() => backing.close());
      return closed;
    };
    return { mountPoint, store: localFacade(store), close };
  },
};

function mountOptions(name: string): string[] {
  const options = ["default_permissions", "big_writes", "use_ino", `fsname=${name.replaceAll(",", "_")}`];
  options.push("entry_timeout=0", "negative_timeout=0", "attr_timeout=0");
  // Others than the one who mounts may use it only where the machine's configuration says so, unless root mounts.
  if (process.getuid?.() === 0) options.push("allow_other");
  return options;
}

async function release(fuse: FuseNative, mountPoint: string): Promise<void> {
  // The package unmounts with fusermount, which root can do without.
  await new Promise<void>((resolve) => fuse.unmount(() => resolve()));
  await unmount(mountPoint);
}

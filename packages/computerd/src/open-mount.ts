/** The workspace's files, mounted or as real ones. */

import type { Config } from "./config.ts";
import { chooseDriver } from "./fuse/choose-driver.ts";
import type { Mount, MountOptions } from "./fuse/driver.ts";
import { requireFuseDevice } from "./fuse/mount-point.ts";

/** Files that commands see, and how they came to see them. */
export interface OpenMount extends Mount {
  readonly mode: "fuse" | "files";
  /** Hears of each command that starts and ends, where that is needed to find what it changed. */
  readonly noteRun?: (state: "started" | "ended") => void;
}

/** Mounts as the configuration says. `auto` says on stderr why it takes real files, so that it is never unnoticed. */
export async function openMount(config: Config, options: MountOptions): Promise<OpenMount> {
  if (config.mount === "fuse") return mounted(config, options);
  if (config.mount === "auto") {
    const lack = await requireFuseDevice().then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    if (lack === undefined) return mounted(config, options);
    console.error(
      `computerd: the files are real ones in ${options.mountPoint}, since nothing can be mounted here: ${lack}`,
    );
  }
  // Loaded only where it is used, as the drivers of mounts are.
  const { filesDriver } = await import("./files/files-driver.ts");
  return { mode: "files", ...(await filesDriver.mount(options)) };
}

async function mounted(config: Config, options: MountOptions): Promise<OpenMount> {
  const driver = await chooseDriver(config.fuseDriver);
  return { mode: "fuse", ...(await driver.mount(options)) };
}

/** What a FUSE driver is: something that keeps a store of files and shows a directory of it at a mount point. */

import type { StoreFacade } from "@cloudflare/computer-rpc";
import type { Chunk } from "@cloudflare/dofs";

export interface MountOptions {
  /** The directory of the store that the mount point shows; absolute. It is made, with its parents. */
  readonly root: string;
  /** An empty directory on the machine; made where it is missing. */
  readonly mountPoint: string;
  /** Named in `/proc/mounts`. */
  readonly name: string;
  /**
   * Brings contents that are known by hash but not here. A read that needs them waits for it, other requests do not; where it fails
   * or leaves some out, the read fails with `EIO`. Without it they cannot be had.
   */
  readonly fetchAbsent?: (hashes: readonly Uint8Array[]) => Promise<readonly Chunk[]>;
  /** Where large contents are kept, in files without names; the machine's directory for temporary files by default. */
  readonly contentsDirectory?: string;
}

export interface Mount {
  readonly mountPoint: string;
  /** The files, in whichever thread the driver serves them. What changes here is seen at the mount point at once. */
  readonly store: StoreFacade;
  /** Unmounts, lazily where something still uses it. Twice is once. */
  close(): Promise<void>;
}

/** Mounts resolve when the mount answers; they reject with a message that names what the machine lacks. */
export interface FuseDriver {
  readonly name: string;
  mount(options: MountOptions): Promise<Mount>;
}

/** What a FUSE driver is: something that shows an InodeStore's directory at a mount point. */

import type { Ino, InodeStore } from "@cloudflare/dofs";

export interface MountOptions {
  readonly store: InodeStore;
  /** The directory of the store that the mount point shows. */
  readonly root: Ino;
  /** An empty directory on the machine; made where it is missing. */
  readonly mountPoint: string;
  /** Named in `/proc/mounts`. */
  readonly name: string;
}

export interface Mount {
  readonly mountPoint: string;
  /** Unmounts, lazily where something still uses it. Twice is once. */
  close(): Promise<void>;
}

/** Mounts resolve when the mount answers; they reject with a message that names what the machine lacks. */
export interface FuseDriver {
  readonly name: string;
  mount(options: MountOptions): Promise<Mount>;
}

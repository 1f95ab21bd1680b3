/** `chmod`: other permission bits for what a path leads to. */

import type { InodeStore } from "../inode-store.ts";
import { permissionBits } from "./arguments.ts";
import { attempt, existing, resolve } from "./resolve.ts";

/** Sets the twelve permission bits, through links; `EINVAL` for what is no mode. */
export function chmod(store: InodeStore, path: string, mode: number): void {
  attempt({ syscall: "chmod", path }, () => {
    const bits = permissionBits(mode);
    store.setattr(existing(resolve(store, path)).ino, { mode: bits });
  });
}

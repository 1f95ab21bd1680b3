/** Which FUSE driver this machine mounts with. */

import type { FuseDriver } from "./driver.ts";

export const FUSE_DRIVERS = ["kernel", "fuse-native"] as const;

export type FuseDriverName = (typeof FUSE_DRIVERS)[number];

/** The driver of that name; without one the kernel's own protocol on Linux, and fuse-native elsewhere. */
export async function chooseDriver(
  name: FuseDriverName | undefined,
  platform: NodeJS.Platform = process.platform,
): Promise<FuseDriver> {
  // Each is loaded only where it is used: a machine with the one need not have the other.
  if ((name ?? (platform === "linux" ? "kernel" : "fuse-native")) === "kernel") {
    return (await import("./kernel-driver.ts")).kernelDriver;
  }
  return (await import("./fuse-native-driver.ts")).fuseNativeDriver;
}

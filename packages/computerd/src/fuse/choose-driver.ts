/** Which FUSE driver this machine mounts with. */

import type { FuseDriver } from "./driver.ts";

export const FUSE_DRIVERS = ["kernel", "fuse-native"] as const;

export type FuseDriverName = (typeof FUSE_DRIVERS)[number];

/** The driver of that name; fuse-native without one. */
export async function chooseDriver(name: FuseDriverName | undefined): Promise<FuseDriver> {
  // Each is loaded only where it is used.
  if (name === "kernel") return (await import("./kernel-driver.ts")).kernelDriver;
  return (await import("./fuse-native-driver.ts")).fuseNativeDriver;
}

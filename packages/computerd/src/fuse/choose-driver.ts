/** Which FUSE driver this machine mounts with. */

import type { FuseDriver } from "./driver.ts";

export const FUSE_DRIVERS = ["kernel", "fuse-native"] as const;

export type FuseDriverName = (typeof FUSE_DRIVERS)[number];

/** The driver of that name; without one the kernel's own protocol where it can be spoken, which is as root on Linux. */
export async function chooseDriver(name: FuseDriverName | undefined): Promise<FuseDriver> {
  const chosen = name ?? (process.platform === "linux" && process.getuid?.() === 0 ? "kernel" : "fuse-native");
  // Each is loaded only where it is used.
  if (chosen === "kernel") return (await import("./kernel-driver.ts")).kernelDriver;
  return (await import("./fuse-native-driver.ts")).fuseNativeDriver;
}

/** The daemon of a computer, for whoever wants to run it inside a process of their own. */

export * from "./config.ts";
export * from "./daemon.ts";
export * from "./exec/environment.ts";
export * from "./exec/exec-service.ts";
export * from "./exec/launcher.ts";
export * from "./exec/plain-launcher.ts";
export * from "./fuse/driver.ts";
export { fuseNativeDriver } from "./fuse/fuse-native-driver.ts";
export { type KernelDriver, type KernelMount, kernelDriver } from "./fuse/kernel-driver.ts";

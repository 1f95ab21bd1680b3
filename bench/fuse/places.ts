/** The directories that are compared: mounts of both drivers, a disk, and memory. */

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fuseNativeDriver, type KernelMount, kernelDriver, type Mount } from "@cloudflare/computerd";
import { makeNpmProject } from "./npm-project.ts";

export interface Place {
  readonly name: string;
  readonly directory: string;
  /** What the kernel has asked, and how often, where that is counted. */
  readonly requests: () => Readonly<Record<string, number>>;
}

export interface Places extends AsyncDisposable {
  /** A project for npm, on the disk. */
  readonly npmProject: string;
  readonly places: readonly Place[];
}

const NOT_REQUESTS = new Set(["FORGET", "BATCH_FORGET"]);

/** Mounts what is to be mounted. Memory is `/dev/shm`, the disk where temporary files go. */
export async function preparePlaces(): Promise<Places> {
  const scratch = mkdtempSync(join(tmpdir(), "bench-fuse-"));
  const memory = mkdtempSync("/dev/shm/bench-fuse-");
  const options = { root: "/workspace", name: "computer-bench" };
  const kernel: KernelMount = await kernelDriver.mount({ ...options, mountPoint: join(scratch, "kernel") });
  const native: Mount = await fuseNativeDriver.mount({ ...options, mountPoint: join(scratch, "native") });
  const disk = join(scratch, "disk");
  mkdirSync(disk);
  const npmProject = join(scratch, "npm");
  mkdirSync(npmProject);
  makeNpmProject(npmProject);
  const requests = (): Record<string, number> =>
    Object.fromEntries(Object.entries(kernel.requests()).filter(([name]) => !NOT_REQUESTS.has(name)));
  const uncounted = (): Record<string, number> => ({});
  return {
    npmProject,
    places: [
      { name: "kernel", directory: kernel.mountPoint, requests },
      { name: "fuse-native", directory: native.mountPoint, requests: uncounted },
      { name: "disk", directory: disk, requests: uncounted },
      { name: "memory", directory: memory, requests: uncounted },
    ],
    async [Symbol.asyncDispose]() {
      await kernel.close();
      await native.close();
      rmSync(scratch, { recursive: true });
      rmSync(memory, { recursive: true });
    },
  };
}

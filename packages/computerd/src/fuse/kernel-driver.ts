/** Mounts by speaking the kernel's own protocol: no native code, no library, requests answered in a thread of their own. */

import { spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { ComputerError } from "@cloudflare/computer-rpc";
import type { FuseDriver, Mount, MountOptions } from "./driver.ts";
import { Doorbell } from "./kernel/doorbell.ts";
import { HashThread } from "./kernel/hash-thread.ts";
import type { FromServer, ServeOptions } from "./kernel/messages.ts";
import { mountDevice } from "./kernel/mount-device.ts";
import { OPERATION_COUNT, OPERATIONS, type Operation } from "./kernel/protocol.ts";
import { RemoteStore } from "./kernel/remote-store.ts";
import { forceUnmount, prepareContentsDirectory, prepareMountPoint, requireFuseDevice } from "./mount-point.ts";

const SERVER = join(import.meta.dirname, "kernel/serving-thread.ts");
const WORD = 4;
/** Garbage of the serving thread is collected often: it would else take more memory than the files do. */
const LIMITS = { maxYoungGenerationSizeMb: 12 };

/** A mount that tells what the kernel has asked it. */
export interface KernelMount extends Mount {
  /** How often each operation was asked for since it was mounted; those that never were are left out. */
  requests(): Partial<Record<Operation, number>>;
}

export interface KernelDriver extends FuseDriver {
  mount(options: MountOptions): Promise<KernelMount>;
}

/** Needs root, `/dev/fuse`, the program `mount` and Linux 5.4 or later. */
export const kernelDriver: KernelDriver = {
  name: "kernel",

  async mount(options: MountOptions): Promise<KernelMount> {
    const { root, mountPoint: path, name, fetchAbsent, contentsDirectory = tmpdir() } = options;
    await requireFuseDevice();
    await prepareContentsDirectory(contentsDirectory);
    const mountPoint = await prepareMountPoint(path);
    const device = openSync("/dev/fuse", "r+");
    const bell = new SharedArrayBuffer(WORD);
    const counts = new SharedArrayBuffer(WORD * OPERATION_COUNT);
    const workerData: ServeOptions = {
      device,
      root,
      bell,
      counts,
      fetches: fetchAbsent !== undefined,
      contentsDirectory,
    };
    const worker = new Worker(SERVER, { workerData, execArgv: [], resourceLimits: LIMITS });
    const doorbell = new Doorbell(worker, mountPoint, bell);
    const hashing = new HashThread();
    const store = new RemoteStore({
      device,
      fetchAbsent,
      hash: (wanted) => hashing.hash(wanted),
      post: (message) => doorbell.post(message),
    });

    // A thread that sleeps in the kernel cannot be ended, and the process not without it.
    const onExit = (): void => void spawnSync("umount", ["-fl", mountPoint]);
    const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
    const greeted = new Promise<void>((resolve, reject) => {
      worker.on("message", (message: FromServer) => {
        if (message.kind === "ready") resolve();
        else if (message.kind === "refused") reject(new ComputerError("EUNAVAILABLE", `${message.message}.`));
        else store.receive(message);
      });
      worker.once("error", (cause) => {
        const error = new ComputerError(
          "EUNAVAILABLE",
          `The thread that serves ${mountPoint} has failed. Start the computer anew.`,
          { cause },
        );
        console.error("computerd: the mount ends because of an error of its own:", cause);
        reject(error);
        store.end(error);
        void forceUnmount(mountPoint).catch(() => {});
      });
    });
    greeted.catch(() => {});

    const release = async (): Promise<void> => {
      // First of all, since it reads files that the serving thread closes.
      await hashing.close();
      await forceUnmount(mountPoint);
      await ended;
      process.off("exit", onExit);
      store.end(new ComputerError("EUNAVAILABLE", `${mountPoint} is no longer mounted.`));
      closeSync(device);
    };
    try {
      await mountDevice(device, mountPoint, name);
    } catch (error) {
      await worker.terminate();
      closeSync(device);
      throw error;
    }
    process.on("exit", onExit);
    worker.postMessage({ kind: "serve" });
    try {
      await greeted;
    } catch (error) {
      await release();
      throw error;
    }

    let closed: Promise<void> | undefined;
    return {
      mountPoint,
      store: store.facade,
      requests: () => told(new Int32Array(counts)),
      close: () => {
        closed ??= release();
        return closed;
      },
    };
  },
};

function told(counts: Int32Array): Partial<Record<Operation, number>> {
  const requests: Partial<Record<Operation, number>> = {};
  for (const operation of Object.keys(OPERATIONS) as Operation[]) {
    const count = Atomics.load(counts, OPERATIONS[operation]);
    if (count > 0) requests[operation] = count;
  }
  return requests;
}

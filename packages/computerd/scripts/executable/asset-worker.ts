/** `node:worker_threads` where the programs of threads are parts of the executable. */

import { basename } from "node:path";
import { getAsset } from "node:sea";
import { Worker as NodeWorker, type WorkerOptions } from "node:worker_threads";

export * from "node:worker_threads";

export class Worker extends NodeWorker {
  constructor(program: string, options: WorkerOptions = {}) {
    super(getAsset(basename(program), "utf8"), { ...options, eval: true });
  }
}

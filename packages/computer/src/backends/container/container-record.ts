/** What an object remembers of its container, so that it finds it again after a restart of its own. */

import type { ContainerExitInfo } from "./container-api.ts";

/** One life of a container. */
export interface ContainerLife {
  readonly runtimeId: string;
  readonly clientSecret: string;
  /** Of the settings that it was started with. */
  readonly digest: string;
}

/** The life that was started last, and how one last ended. */
export interface ContainerRecord {
  readonly life?: ContainerLife;
  readonly exit?: ContainerExitInfo;
  /** Milliseconds without use after which the container is stopped. */
  readonly inactivityMs?: number;
}

const KEY = "computer:container";

export class ContainerRecords {
  readonly #storage: Pick<DurableObjectStorage, "get" | "put">;
  #record: Promise<ContainerRecord> | undefined;

  constructor(storage: Pick<DurableObjectStorage, "get" | "put">) {
    this.#storage = storage;
  }

  read(): Promise<ContainerRecord> {
    this.#record ??= this.#storage.get<ContainerRecord>(KEY).then((record) => record ?? {});
    return this.#record;
  }

  async change(change: ContainerRecord): Promise<void> {
    const record = { ...(await this.read()), ...change };
    this.#record = Promise.resolve(record);
    await this.#storage.put(KEY, record);
  }
}

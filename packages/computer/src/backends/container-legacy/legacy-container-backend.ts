/** The container computer with the options that it had before. */

import { ContainerBackend } from "../container/container-backend.ts";
import type { ContainerBackendOptions } from "../container/container-options.ts";

/** Those of `ContainerBackend`, without a choice of image and size: the container is the one that `wrangler.jsonc` says. */
export type LegacyContainerBackendOptions = Omit<ContainerBackendOptions, "ignore" | "name" | "instance" | "launch">;

export class LegacyContainerBackend extends ContainerBackend {
  constructor(options: LegacyContainerBackendOptions) {
    super(options);
  }
}

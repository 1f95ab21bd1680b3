/** The shared suite of the provider: every store passes it. */

import { describe, test } from "vitest";
import type { InodeStore } from "../../src/index.ts";
import { StoreProvider } from "../../src/provider/store-provider.ts";
import type { On } from "./suite/context.ts";
import { testDescriptors } from "./suite/descriptors.ts";
import { testFiles } from "./suite/files.ts";
import { testPaths } from "./suite/paths.ts";
import { testWatch } from "./suite/watching.ts";
import { testBuffers } from "./suite/write-buffers.ts";

/** Makes an empty store and runs a body on it. */
export type RunOnStore = (body: (store: InodeStore) => Promise<void>) => Promise<void>;

export function describeProvider(name: string, run: RunOnStore): void {
  const on: On = (title, body) =>
    test(title, () =>
      run(async (store) => {
        const provider = new StoreProvider(store);
        provider.mkdirSync("/w");
        await body(provider, store);
      }),
    );
  describe(name, () => {
    describe("descriptors", () => testDescriptors(on));
    describe("whole files and ranges", () => testFiles(on));
    describe("write buffers", () => testBuffers(on));
    describe("what paths are", () => testPaths(on));
    describe("watching", () => testWatch(on));
  });
}

/** What the parts of the provider's suite are written in. */

import { readText } from "../../../src/filesystem/read-file.ts";
import type { InodeStore } from "../../../src/index.ts";
import type { StoreProvider } from "../../../src/provider/store-provider.ts";

/** Registers a test on a fresh provider with an empty directory `/w`, over a store. */
export type On = (title: string, body: (provider: StoreProvider, store: InodeStore) => Promise<void> | void) => void;

export const KIB = 1024;
export const MIB: number = 1024 * KIB;

export function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

export function bytes(content: string): Uint8Array {
  return new TextEncoder().encode(content);
}

/** What the store itself has, no buffer between. */
export function stored(store: InodeStore, path: string): string {
  return readText(store, path, {});
}

/** What the main thread and the thread that serves a mount say to each other. */

import type { StoreFacade } from "@cloudflare/computer-rpc";
import type { Chunk, Unhashed } from "@cloudflare/dofs";

/** What the serving thread is started with. */
export interface ServeOptions {
  /** The open device. Both threads have it: requests are read in the one, notices written in the other. */
  readonly device: number;
  readonly root: string;
  /** One word: whether a message has been posted that the serving thread has not seen. */
  readonly bell: SharedArrayBuffer;
  /** A word for each operation: how often it was asked for. */
  readonly counts: SharedArrayBuffer;
  readonly fetches: boolean;
  readonly contentsDirectory: string;
}

export type ToServer =
  | { readonly kind: "serve" }
  | {
      readonly kind: "call";
      readonly id: number;
      readonly method: keyof StoreFacade;
      readonly args: readonly unknown[];
    }
  /** What came of a fetch or a hashing. */
  | { readonly kind: "answer"; readonly id: number; readonly value: readonly Chunk[] | readonly Uint8Array[] }
  | { readonly kind: "no answer"; readonly id: number; readonly message: string };

export type FromServer =
  | { readonly kind: "ready" }
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "ended" }
  /** The notices tell the kernel of what the call has changed. */
  | { readonly kind: "result"; readonly id: number; readonly value: unknown; readonly notices: readonly Uint8Array[] }
  | { readonly kind: "failure"; readonly id: number; readonly message: string }
  | { readonly kind: "fetch"; readonly id: number; readonly hashes: readonly Uint8Array[] }
  /** To be hashed in another thread. */
  | { readonly kind: "hash"; readonly id: number; readonly wanted: readonly Unhashed[] }
  | { readonly kind: "notices"; readonly notices: readonly Uint8Array[] };

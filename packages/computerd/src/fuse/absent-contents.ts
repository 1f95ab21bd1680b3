/** Operations that may lack contents: they wait for them, and nobody else does. */

import { constants } from "node:os";
import type { Absent, InodeStore } from "@cloudflare/dofs";
import type { MountOptions } from "./driver.ts";
import { negativeErrno } from "./errno.ts";

/**
 * Does `action`, again after each fetch of contents it lacked, until it gives something; then one of `done` and `fail` is called.
 * What one fetch did not bring is `EIO`, not another fetch.
 */
export type WithContents = <T>(
  action: () => T | Absent,
  done: (result: T) => void,
  fail: (negativeErrno: number) => void,
) => void;

export function contentsFetcher(store: InodeStore, fetchAbsent: MountOptions["fetchAbsent"]): WithContents {
  const bring = async (hashes: readonly Uint8Array[]): Promise<void> => {
    if (fetchAbsent === undefined) throw new Error("This computer has nowhere to fetch contents from.");
    store.putChunks(await fetchAbsent(hashes));
  };
  /** What is on its way, by hash: reads of two parts of a chunk fetch it once. */
  const coming = new Map<string, Promise<void>>();
  const fetch = async (hashes: readonly Uint8Array[]): Promise<void> => {
    const wanted = hashes.filter((hash) => !coming.has(hash.toString()));
    if (wanted.length > 0) {
      const brought = bring(wanted).finally(() => {
        for (const hash of wanted) coming.delete(hash.toString());
      });
      for (const hash of wanted) coming.set(hash.toString(), brought);
    }
    await Promise.all(hashes.map((hash) => coming.get(hash.toString())));
  };

  return (action, done, fail) => {
    const asked = new Set<string>();
    const attempt = (): void => {
      try {
        const result = action();
        if (!isAbsent(result)) {
          done(result);
          return;
        }
        const hashes = result.absent.filter((hash) => !asked.has(hash.toString()));
        if (hashes.length === 0) throw new Error("Contents were fetched and did not come.");
        for (const hash of hashes) asked.add(hash.toString());
        fetch(hashes).then(attempt, (error: unknown) => {
          console.error("computerd: contents could not be fetched:", error);
          fail(-constants.errno.EIO);
        });
      } catch (error) {
        fail(negativeErrno(error));
      }
    };
    attempt();
  };
}

export function isAbsent(result: unknown): result is Absent {
  return typeof result === "object" && result !== null && "absent" in result;
}

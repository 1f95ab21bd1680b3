/** The suite that every InodeStore passes. */

import { describe } from "vitest";
import { testChanges } from "./inode-store/changes.ts";
import { testContents } from "./inode-store/contents.ts";
import type { StoreSuite } from "./inode-store/context.ts";
import { testNames } from "./inode-store/names.ts";
import { testReadOnlyRoots } from "./inode-store/read-only-roots.ts";
import { testTransactions } from "./inode-store/transactions.ts";

/** Runs the suite; `withStore` calls its argument with a new, empty store, in the place where that store can be used. */
export function describeInodeStore(name: string, withStore: StoreSuite["withStore"]): void {
  describe(name, () => {
    const suite: StoreSuite = { withStore };
    testNames(suite);
    testContents(suite);
    testTransactions(suite);
    testChanges(suite);
    testReadOnlyRoots(suite);
  });
}

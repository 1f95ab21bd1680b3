/** Which life of each computer the workspace last met, so that one that is over is not waited for. */

import type { Database, InodeStore } from "@cloudflare/dofs";

const CREATE =
  "CREATE TABLE IF NOT EXISTS vfs_computers (id TEXT PRIMARY KEY, runtime TEXT NOT NULL) STRICT, WITHOUT ROWID";
const READ = "SELECT runtime FROM vfs_computers WHERE id = ?";
const WRITE =
  "INSERT INTO vfs_computers (id, runtime) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET runtime = excluded.runtime";

/**
 * Remembers the runtime of a computer. The one that was met before it will not come back: it is forgotten as a peer, since the store keeps
 * every change that a peer has yet to see.
 */
export function meetRuntime(db: Database, store: InodeStore, computer: string, runtime: string): void {
  db.run(CREATE);
  const before = db.scalar<string>(READ, computer);
  if (before === runtime) return;
  db.transactionSync(() => {
    if (before !== undefined) store.setPeer(before, null);
    db.run(WRITE, computer, runtime);
  });
}

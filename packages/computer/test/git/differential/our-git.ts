/** Our git over the filesystem's own driver on Node, given the same situations. */

import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Database, SqlStore, StoreProvider } from "@cloudflare/dofs";
import { openNodeStorage } from "@cloudflare/dofs/node";
import { WorkspaceGit } from "../../../src/git/client/workspace-git.ts";
import { GitFiles } from "../../../src/git/files/git-files.ts";
import { environmentOf, type Outcome, type Situation, timeOf } from "./step.ts";

const ROOT = "/workspace/r";

export class OurGit {
  readonly store: SqlStore;
  readonly git: WorkspaceGit;
  #time = 0;

  constructor() {
    const db = new Database(openNodeStorage());
    // A step takes no time, as in a Worker.
    const now = (): number => timeOf(this.#time) * 1000;
    this.store = SqlStore.open(db, { sha256: (bytes) => createHash("sha256").update(bytes).digest(), now });
    this.git = new WorkspaceGit({ store: this.store, fetch: undefined, now });
    new GitFiles(this.store).makeDirectory(ROOT);
  }

  /** Runs a situation, its first step being the one of this number in all. */
  async run({ steps }: Situation, first = 0): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    const provider = new StoreProvider(this.store);
    for (const [i, step] of steps.entries()) {
      this.#time = first + i;
      const files = new GitFiles(this.store);
      const at = (path: string): string => `${ROOT}/${path}`;
      switch (step.kind) {
        case "write":
        case "bytes": {
          const bytes = step.kind === "write" ? new TextEncoder().encode(step.text) : Uint8Array.from(step.bytes);
          if (files.stat(at(step.path))?.kind === "symlink") files.remove(at(step.path));
          files.write(at(step.path), bytes);
          break;
        }
        case "remove":
          files.remove(at(step.path));
          break;
        case "move":
          try {
            files.rename(at(step.from), at(step.to));
          } catch {
            // As `mv … || true`.
          }
          break;
        case "chmod":
          if (files.stat(at(step.path)) !== undefined) provider.chmodSync(at(step.path), step.mode);
          break;
        case "link":
          files.remove(at(step.path));
          files.link(at(step.path), step.target);
          break;
        case "git": {
          const cwd = step.cwd === undefined || !files.isDirectory(at(step.cwd)) ? ROOT : at(step.cwd);
          const stdin = step.stdin === undefined ? "" : `${step.stdin}\n`;
          outcomes.push(await this.git.cli({ argv: [...step.argv], cwd, env: environmentOf(first + i), stdin }));
        }
      }
    }
    return outcomes;
  }

  /** Writes the whole tree to a real directory, for the real git to look at. */
  export(target: string): void {
    const files = new GitFiles(this.store);
    const visit = (from: string, to: string): void => {
      mkdirSync(to, { recursive: true });
      for (const { name, attr } of files.list(from)) {
        const [source, path] = [`${from}/${name}`, join(to, name)];
        if (attr.kind === "dir") visit(source, path);
        else if (attr.kind === "symlink") symlinkSync(this.store.readlink(attr.ino), path);
        else {
          writeFileSync(path, files.contents(attr));
          chmodSync(path, attr.mode);
        }
      }
    };
    visit(ROOT, target);
  }
}

/** The Worker of the million files: an object that makes them and counts what it takes to use them. */

import { DurableObject } from "cloudflare:workers";
import { createHash } from "node:crypto";
import { Database, SqlStore, WorkspaceFilesystem } from "../../../src/index.ts";

interface Env {
  FILES: DurableObjectNamespace<Files>;
}

const PER_DIRECTORY = 1_000;

const path = (i: number): string => `/w/d${Math.floor(i / PER_DIRECTORY)}/f${i}.ts`;

export class Files extends DurableObject<Env> {
  #cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];
  readonly #store: SqlStore;
  readonly #fs: WorkspaceFilesystem;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const { sql } = ctx.storage;
    const db = new Database({
      sql: {
        exec: (query, ...bindings) => {
          const cursor = sql.exec(query, ...bindings);
          this.#cursors.push(cursor);
          return cursor;
        },
      },
      transactionSync: (closure) => ctx.storage.transactionSync(closure),
    });
    this.#store = SqlStore.open(db, { sha256: (bytes) => createHash("sha256").update(bytes).digest() });
    this.#fs = new WorkspaceFilesystem(db);
  }

  override async fetch(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const number = (name: string) => Number(url.searchParams.get(name));
    this.#cursors = [];
    await this.#run(url.pathname, number("from"), number("to"));
    return Response.json({
      read: this.#cursors.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
      written: this.#cursors.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0),
      remembered: this.#store.remembered(),
      ...this.#store.statfs(),
    });
  }

  async #run(action: string, from: number, to: number): Promise<void> {
    for (let i = from; i < to; i++) {
      if (action === "/create") {
        if (i % PER_DIRECTORY === 0)
          await this.#fs.mkdir(path(i).slice(0, path(i).lastIndexOf("/")), { recursive: true });
        await this.#fs.writeFile(path(i), `export const n = ${i};\n`);
      } else if (action === "/stat") {
        if ((await this.#fs.stat(path(i))).size === 0) throw new Error(`${path(i)} is empty`);
      } else if (action === "/find") {
        const found = await this.#fs.find("/w", `**/f${i}.ts`);
        if (found.length !== 1 || found[0]?.path !== path(i)) throw new Error(`${path(i)} is not found`);
      } else if (action === "/rename") {
        await this.#fs.rename("/w", "/moved");
        await this.#fs.rename("/moved", "/w");
      }
    }
  }
}

export default {
  fetch(request: Request, env: Env): Promise<Response> {
    return env.FILES.getByName("million").fetch(request);
  },
};

/** `POST /calls/N` and `POST /blobs/N` go through one session with a workspace; each answers with the count of live objects. */

import { DurableObject } from "cloudflare:workers";
import { getWorkspace, type LazyWorkspaceClient } from "../../src/index.ts";
import { WorkspaceObject } from "../workspace-object.ts";

export { WorkspaceObject };

interface Env {
  readonly CALLER: DurableObjectNamespace<Caller>;
  readonly WORKSPACE: DurableObjectNamespace<WorkspaceObject>;
}

const BLOB = new Uint8Array(1024 * 1024);

/** Lives as long as the test, and so does its one client. */
export class Caller extends DurableObject<Env> {
  readonly #workspace: LazyWorkspaceClient = getWorkspace(this.env.WORKSPACE.getByName("soaked"));

  async calls(count: number): Promise<void> {
    for (let done = 0; done < count; done += 100) {
      await Promise.all(Array.from({ length: 100 }, () => this.#workspace.fs.exists("/nowhere")));
    }
  }

  async blobs(count: number): Promise<void> {
    for (let done = 0; done < count; done++) {
      BLOB.fill(done);
      await this.#workspace.fs.writeFile("/blob", BLOB);
      let [length, last] = [0, -1];
      for await (const piece of await this.#workspace.fs.readFile("/blob")) {
        length += piece.length;
        last = piece.at(-1) ?? last;
      }
      if (length !== BLOB.length || last !== done % 256)
        throw new Error(`${length} bytes came back, the last is ${last}`);
    }
  }
}

const handler: ExportedHandler<Env> = {
  async fetch(request: Request, env: Env): Promise<Response> {
    const [, what, count] = /^\/(calls|blobs)\/(\d+)$/.exec(new URL(request.url).pathname) ?? [];
    if (what !== "calls" && what !== "blobs") return new Response("calls or blobs", { status: 404 });
    await env.CALLER.getByName("one")[what](Number(count));
    return Response.json(await env.WORKSPACE.getByName("soaked").liveTargets());
  },
};

export default handler;

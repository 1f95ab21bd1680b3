/** The Worker of the bench: a Durable Object for each of the two systems, which prepares and runs an operation when asked. */

import { DurableObject } from "cloudflare:workers";
import { Workspace } from "@cloudflare/computer";
import { Workspace as PublishedWorkspace } from "published-computer";
import { CountedStorage } from "./counted-storage.ts";
import { type Files, operations } from "./operations.ts";

interface Env {
  OURS: DurableObjectNamespace;
  PUBLISHED: DurableObjectNamespace;
}

abstract class Measured extends DurableObject<Env> {
  abstract open(storage: CountedStorage): Files;

  override async fetch(request: Request): Promise<Response> {
    const [, step, id] = new URL(request.url).pathname.split("/");
    if (step === "restart") this.ctx.abort("so that nothing is remembered");
    if (step === "delete") {
      await this.ctx.storage.deleteAll();
      return new Response();
    }
    const operation = operations.find((operation) => operation.id === id);
    if (operation === undefined) return new Response(null, { status: 404 });
    const storage = new CountedStorage(this.ctx.storage);
    const files = this.open(storage);
    if (step === "prepare") {
      await operation.prepare(files);
      return new Response();
    }
    const answer = await operation.run(files);
    return Response.json({ answer, rows: storage.take() });
  }
}

export class Ours extends Measured {
  override open(storage: CountedStorage): Files {
    return new Workspace({ storage });
  }
}

export class Published extends Measured {
  override open(storage: CountedStorage): Files {
    return new PublishedWorkspace({ storage });
  }
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const url = new URL(request.url);
    const namespace = url.searchParams.get("system") === "ours" ? env.OURS : env.PUBLISHED;
    const object = namespace.get(namespace.idFromName(url.searchParams.get("name") ?? ""));
    try {
      return await object.fetch(request);
    } catch (error) {
      if (url.pathname === "/restart") return new Response();
      return new Response(String(error), { status: 500 });
    }
  },
};

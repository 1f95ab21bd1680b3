/** The Worker of the bench: a Durable Object for each of the two systems, which prepares and runs an operation when asked. */

import { DurableObject } from "cloudflare:workers";
import { Workspace } from "@cloudflare/computer";
import { createGitClient } from "@cloudflare/computer/git";
import { Workspace as PublishedWorkspace } from "published-computer";
import { createGitClient as createPublishedGitClient } from "published-computer/git";
import { CountedStorage } from "../fs/counted-storage.ts";
import { operations, preparations, type Subject } from "./operations.ts";

interface Env {
  OURS: DurableObjectNamespace;
  PUBLISHED: DurableObjectNamespace;
}

abstract class Measured extends DurableObject<Env> {
  abstract open(storage: CountedStorage): Subject;

  override async fetch(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const [, step, id] = pathname.split("/");
    if (step === "restart") this.ctx.abort("so that nothing is remembered");
    if (step === "delete") {
      await this.ctx.storage.deleteAll();
      return new Response();
    }
    const storage = new CountedStorage(this.ctx.storage);
    const subject = this.open(storage);
    if (step === "nothing") return Response.json(await subject.git.lsFiles({ dir: "/nowhere" }).catch(() => 0));
    const operation = operations.find((each) => each.id === id);
    if (operation === undefined) return new Response(null, { status: 404 });
    if (step === "prepare") {
      for (const name of operation.prepare) await preparations[name](subject);
      return new Response();
    }
    const answer = await operation.run(subject, searchParams.get("url") ?? "");
    return Response.json({ answer, rows: storage.take() });
  }
}

export class Ours extends Measured {
  override open(storage: CountedStorage): Subject {
    return new Workspace({ storage, git: createGitClient() });
  }
}

export class Published extends Measured {
  override open(storage: CountedStorage): Subject {
    return new PublishedWorkspace({ storage, git: createPublishedGitClient() });
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
      return new Response(error instanceof Error ? (error.stack ?? String(error)) : String(error), { status: 500 });
    }
  },
};

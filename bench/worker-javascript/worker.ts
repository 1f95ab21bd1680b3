/** The Worker of the bench: a Durable Object for each of the two systems, which prepares and runs a script when asked. */

import { DurableObject } from "cloudflare:workers";
import { Workspace } from "@cloudflare/computer";
import { WorkerJavaScriptBackend } from "@cloudflare/computer/backends/worker-javascript";
import { Workspace as PublishedWorkspace } from "published-computer";
import { WorkerJavaScriptBackend as PublishedBackend } from "published-computer/backends/worker-javascript";
import type { Answer } from "../beside/bench.ts";
import { type Scripted, scripts } from "./scripts.ts";

interface Env {
  OURS: DurableObjectNamespace;
  PUBLISHED: DurableObjectNamespace;
  LOADER: WorkerLoader;
}

const LIMITS = { maxStdioBytes: 32 * 1024 * 1024, maxCapabilityCalls: 10_000, maxConcurrentCapabilityCalls: 256 };

abstract class Measured extends DurableObject<Env> {
  #workspace: Scripted | undefined;

  abstract open(): Scripted;

  override async fetch(request: Request): Promise<Response> {
    const [, step, id] = new URL(request.url).pathname.split("/");
    if (step === "restart") this.ctx.abort("so that nothing is remembered");
    const script = scripts.find((script) => script.id === id);
    if (script === undefined) return new Response(null, { status: 404 });
    this.#workspace ??= this.open();
    if (step === "prepare") {
      await this.#workspace.fs.mkdir("/workspace", { recursive: true });
      await script.prepare(this.#workspace);
      return Response.json({});
    }
    const handle = await this.#workspace.runtime.exec(script.source, { encoding: "utf8", output: false });
    const { exitCode, stdout, stderr, value, script: report } = await handle.result();
    return Response.json({
      exitCode,
      output: [value, stdout.length],
      stderr: stderr.slice(0, 500),
      ...(report === undefined ? {} : { calls: `${report.hostCalls} in ${report.roundTrips}` }),
    } satisfies Answer);
  }
}

export class Ours extends Measured {
  override open(): Scripted {
    return new Workspace({
      storage: this.ctx.storage,
      backends: [new WorkerJavaScriptBackend({ loader: this.env.LOADER, ...LIMITS })],
    });
  }
}

export class Published extends Measured {
  override open(): Scripted {
    return new PublishedWorkspace({
      storage: this.ctx.storage,
      backends: [new PublishedBackend({ loader: this.env.LOADER, ...LIMITS })],
    });
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
      if (url.pathname.startsWith("/restart")) return new Response();
      return new Response(String(error), { status: 500 });
    }
  },
};

/** `POST /` runs the command in its body and answers with the result without its output; `POST /read` reads the events of it instead, and counts. */

import { DurableObject } from "cloudflare:workers";
import { ContainerBackend, computerdHost } from "../../src/backends/container/index.ts";
import { Workspace } from "../../src/index.ts";

interface Env {
  readonly RUNNER: DurableObjectNamespace<Runner>;
  readonly COMPUTER_HOST_URL: string;
  readonly COMPUTER_HOST_TOKEN: string;
}

export class Runner extends DurableObject<Env> {
  readonly #workspace: Workspace = new Workspace({
    storage: this.ctx.storage,
    backends: [
      new ContainerBackend({
        workspace: { binding: "RUNNER", id: this.ctx.id.toString() },
        container: () =>
          computerdHost({
            url: this.env.COMPUTER_HOST_URL,
            token: this.env.COMPUTER_HOST_TOKEN,
            id: this.ctx.id.toString(),
          }),
      }),
    ],
  });

  async run(source: string): Promise<unknown> {
    using run = await this.#workspace.runtime.exec(source);
    const { exitCode, stdout, stderr, truncated, sync } = await run.result();
    const saved: number[] = [];
    for (const cut of [truncated?.stdout, truncated?.stderr]) {
      if (cut?.status === "saved") saved.push((await this.#workspace.fs.stat(cut.path)).size);
    }
    return { exitCode, kept: stdout.length + stderr.length, saved, sync: sync.status };
  }

  async read(source: string): Promise<unknown> {
    using run = await this.#workspace.runtime.exec(source, { output: false });
    let bytes = 0;
    let exitCode = -1;
    for await (const event of run) {
      if (event.name === "exit") exitCode = event.code;
      else bytes += event.value.length;
    }
    return { exitCode, bytes };
  }
}

const handler: ExportedHandler<Env> = {
  async fetch(request: Request, env: Env): Promise<Response> {
    const runner = env.RUNNER.getByName("one");
    const source = await request.text();
    const { pathname } = new URL(request.url);
    return Response.json(await (pathname === "/read" ? runner.read(source) : runner.run(source)));
  },
};

export default handler;

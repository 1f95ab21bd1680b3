/** The Durable Object of the tests: a workspace with a computer in memory, reached over real Workers RPC. */

import { DurableObject } from "cloudflare:workers";
import { createGitClient } from "../src/git/index.ts";
import { type WithWorkspaceCtor, WorkspaceStub, withWorkspace } from "../src/index.ts";
import { liveTargets } from "../src/stubs/live-targets.ts";
import { MemoryComputer } from "../src/testing/index.ts";
import { scriptedCommands } from "../src/testing/suite/scripted-sources.ts";
import { WORKSPACE } from "../src/workspace/workspace-host.ts";

class Bare extends DurableObject {}

const Base: WithWorkspaceCtor<typeof Bare> = withWorkspace(Bare, ({ ctx }) => ({
  storage: ctx.storage,
  git: createGitClient(),
  defaultGitIdentity: { name: "Tess", email: "tess@example.org" },
  backends: [new MemoryComputer({ commands: scriptedCommands })],
}));

export class WorkspaceObject extends Base {
  #shared: WorkspaceStub | undefined;

  /** Tells of the request it got. */
  override async fetch(request: Request): Promise<Response> {
    const { url, method, headers } = request;
    const body = await request.text();
    return Response.json({ url, method, body, own: headers.get("X-Own"), token: headers.get("Computer-Egress-Token") });
  }

  /** One and the same stub to everyone who asks. */
  sharedStub(): WorkspaceStub {
    this.#shared ??= new WorkspaceStub(this[WORKSPACE]);
    return this.#shared;
  }

  /** How many objects of this isolate other isolates hold on to. */
  liveTargets(): number {
    return liveTargets.count;
  }
}

/** A Durable Object with a container and with a fetch of its own. */

import { DurableObject } from "cloudflare:workers";
import { type WithWorkspaceContainerCtor, withWorkspaceContainer } from "../src/backends/container/index.ts";
import { FakeContainer } from "./fake-container.ts";

class WithFake extends DurableObject<Cloudflare.Env> {
  readonly container: FakeContainer = new FakeContainer(this.env.CONTAINER_YARD);

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env);
    const { storage, exports } = ctx;
    Object.defineProperty(this, "ctx", { value: { storage, exports, container: this.container } });
  }
}

const WithContainer: WithWorkspaceContainerCtor<typeof WithFake> = withWorkspaceContainer(WithFake);

export class ContainedObject extends WithContainer {
  override async fetch(request: Request): Promise<Response> {
    return new Response(`its own answer to ${new URL(request.url).pathname}`);
  }

  async starts(): Promise<number> {
    return this.container.starts.length;
  }
}

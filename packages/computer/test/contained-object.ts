/** Durable Objects with a container. */

import { DurableObject } from "cloudflare:workers";
import { Container } from "@cloudflare/containers";
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

/** One with a fetch of its own. */
export class ContainedObject extends WithContainer {
  override async fetch(request: Request): Promise<Response> {
    return new Response(`its own answer to ${new URL(request.url).pathname}`);
  }

  async starts(): Promise<number> {
    return this.container.starts.length;
  }
}

class Counted extends Container<Cloudflare.Env> {
  override sleepAfter = "1h";
  used = 0;

  constructor(ctx: DurableObject["ctx"], env: Cloudflare.Env) {
    Object.defineProperty(ctx, "container", { value: new FakeContainer(env.CONTAINER_YARD) });
    super(ctx, env);
  }

  override renewActivityTimeout(): void {
    super.renewActivityTimeout();
    this.used++;
  }
}

const OnContainer: WithWorkspaceContainerCtor<typeof Counted> = withWorkspaceContainer(Counted);

/** On the class of `@cloudflare/containers`, which counts the use of its container itself. */
export class SleepyObject extends OnContainer {
  async uses(): Promise<number> {
    return this.used;
  }
}

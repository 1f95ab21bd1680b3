/** A Durable Object class whose container a workspace can use, its own or that of another object. */

import { ComputerError } from "@cloudflare/computer-rpc";
import { WorkspaceContainerAPI } from "./workspace-container-api.ts";

/** On an upgrade that is for a port of the container: the port, and the secret of the life of it that is meant. */
export const CONTAINER_PORT_HEADER = "Computer-Container-Port";
export const CONTAINER_SECRET_HEADER = "Computer-Container-Secret";

// biome-ignore lint/suspicious/noExplicitAny: a class to be extended must take any arguments, or TypeScript refuses it as a base
type DOCtor = abstract new (...args: any[]) => object;

// biome-ignore lint/suspicious/noExplicitAny: see DOCtor
type Made<T> = new (...args: any[]) => T;

/** The class with a container in it. */
export type WithWorkspaceContainerCtor<TBase extends DOCtor> = TBase &
  Made<InstanceType<TBase> & { getWorkspaceContainer(): WorkspaceContainerAPI }>;

/** What a base may have that counts the container's use by itself, as `Container` of `@cloudflare/containers` does. */
interface Counting {
  renewActivityTimeout?(): void;
  scheduleNextAlarm?(ms?: number): Promise<void>;
}

/** What the mixin finds on a Durable Object. */
interface DurableParts extends Counting {
  readonly ctx?: DurableObjectState;
  fetch?(request: Request): Promise<Response> | Response;
}

/**
 * Adds `getWorkspaceContainer()` to a Durable Object class that has a container: the class of the workspace itself, or one of its own, on
 * `DurableObject` or on `Container` of `@cloudflare/containers`.
 *
 * @example
 * export class Sandbox extends withWorkspaceContainer(DurableObject<Env>) {}
 * new ContainerBackend({ container: () => env.SANDBOX.getByName(name), workspace: { binding: "AGENT", id: ctx.id.toString() } })
 */
export function withWorkspaceContainer<TBase extends DOCtor>(Base: TBase): WithWorkspaceContainerCtor<TBase> {
  abstract class WithWorkspaceContainer extends Base {
    #api: WorkspaceContainerAPI | undefined;

    // biome-ignore lint/suspicious/noExplicitAny: see DOCtor
    constructor(...args: any[]) {
      super(...args);
      // Not a method, which the class of the user's own would hide with its fetch.
      const own = partsOf(this).fetch;
      Object.defineProperty(this, "fetch", {
        value: async (request: Request): Promise<Response> =>
          (await this.#forwarded(request)) ??
          own?.call(this, request) ??
          new Response("This object answers no requests.\n", { status: 404 }),
        writable: true,
        configurable: true,
      });
    }

    getWorkspaceContainer(): WorkspaceContainerAPI {
      const self = partsOf(this);
      if (self.ctx === undefined)
        throw new ComputerError("EOPTION", "withWorkspaceContainer takes a Durable Object class.");
      this.#api ??= new WorkspaceContainerAPI(self.ctx, {
        used: () => self.renewActivityTimeout?.(),
        started: () => void self.scheduleNextAlarm?.(),
      });
      return this.#api;
    }

    /** What the container answers, where the request is one for it from who started it. */
    async #forwarded(request: Request): Promise<Response | undefined> {
      const [port, secret] = [CONTAINER_PORT_HEADER, CONTAINER_SECRET_HEADER].map((name) => request.headers.get(name));
      if (port == null || secret == null) return undefined;
      const api = this.getWorkspaceContainer();
      if (!(await WorkspaceContainerAPI.admits(api, secret))) {
        return new Response("The container that this is for does not run any more.\n", { status: 503 });
      }
      const headers = new Headers(request.headers);
      for (const name of [CONTAINER_PORT_HEADER, CONTAINER_SECRET_HEADER]) headers.delete(name);
      return api.fetchPort(Number(port), request.url, { headers, method: request.method });
    }
  }
  return WithWorkspaceContainer as WithWorkspaceContainerCtor<TBase>;
}

// The platform's class keeps ctx for its subclasses alone, which a mixin is only when it runs.
function partsOf(object: object): DurableParts {
  return object;
}

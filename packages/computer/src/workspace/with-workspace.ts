/** A Durable Object class with a workspace in it. */

import type { WorkspaceStub } from "../stubs/workspace-stub.ts";
import { Workspace, type WorkspaceOptions } from "./workspace.ts";
import { WORKSPACE, type WorkspaceLocalHost, type WorkspaceStubHost } from "./workspace-host.ts";

/** A class of Durable Objects; `DurableObject` itself is one. */
// biome-ignore lint/suspicious/noExplicitAny: a class to be extended must take any arguments, or TypeScript refuses it as a base
type DOCtor = abstract new (...args: any[]) => object;

/** The object itself, with what the platform keeps `protected` on it. */
type Self<TBase extends DOCtor> = InstanceType<TBase> & {
  readonly ctx: DurableObjectState;
  readonly env: ConstructorParameters<TBase>[1];
};

// biome-ignore lint/suspicious/noExplicitAny: see DOCtor
type Made<T> = new (...args: any[]) => T;

/** The class with a workspace in it. */
export type WithWorkspaceCtor<TBase extends DOCtor> = TBase &
  Made<InstanceType<TBase> & WorkspaceStubHost & WorkspaceLocalHost>;

/**
 * Adds a workspace to a Durable Object class. It is made, with the options that the function gives, when it is first used.
 *
 * @example
 * export class Agent extends withWorkspace(DurableObject<Env>, ({ ctx }) => ({ storage: ctx.storage })) {
 *   async note(text: string) {
 *     await getWorkspace(this).fs.writeFile("/workspace/note.txt", text);
 *   }
 * }
 */
export function withWorkspace<TBase extends DOCtor>(
  Base: TBase,
  options: (self: Self<TBase>) => WorkspaceOptions,
): WithWorkspaceCtor<TBase> {
  abstract class WithWorkspace extends Base {
    #workspace: Workspace | undefined;

    get [WORKSPACE](): Workspace {
      this.#workspace ??= new Workspace(options(this as Self<TBase>));
      return this.#workspace;
    }

    async __getWorkspaceStub(): Promise<WorkspaceStub> {
      return this[WORKSPACE].stub();
    }
  }
  return WithWorkspace as WithWorkspaceCtor<TBase>;
}

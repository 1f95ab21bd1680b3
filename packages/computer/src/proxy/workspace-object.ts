/** The object behind a reference that travels as data. */

import { ComputerError } from "@cloudflare/computer-rpc";
import { z } from "zod";
import { checkOptions } from "../options/check-options.ts";
import type { WorkspaceStubHost } from "../workspace/workspace-host.ts";

/** Which object has the workspace: the name of a Durable Object binding of this Worker, and the object's id. */
export interface WorkspaceObjectRef {
  readonly binding: string;
  readonly id: string;
  /** The object's name where it has one, so that it knows its name too. */
  readonly name?: string | undefined;
}

/** What is used of a stub of the object. */
export type WorkspaceObjectStub = Pick<Fetcher, "fetch"> & WorkspaceStubHost;

interface Namespace {
  idFromString(id: string): DurableObjectId;
  getByName(name: string): WorkspaceObjectStub & { readonly id: DurableObjectId };
  get(id: DurableObjectId): WorkspaceObjectStub;
}

const props: z.ZodObject = z.looseObject({
  binding: z.string().min(1),
  id: z.string().min(1),
  name: z.string().min(1).optional(),
});

/** A stub of the object; `EOPTION` where the binding is not one of Durable Objects or the id is none of its. */
export function workspaceObject(env: unknown, ref: WorkspaceObjectRef, owner: string): WorkspaceObjectStub {
  checkOptions(props, ref, owner);
  const namespace = (env as Record<string, Namespace | undefined>)[ref.binding];
  if (typeof namespace?.idFromString !== "function") {
    throw new ComputerError(
      "EOPTION",
      `${owner} was given the binding ${ref.binding}, which this Worker has no Durable Objects under: name one of wrangler.jsonc's durable_objects.bindings.`,
    );
  }
  const id = idOf(namespace, ref, owner);
  if (ref.name === undefined) return namespace.get(id);
  const named = namespace.getByName(ref.name);
  if (named.id.equals(id)) return named;
  throw new ComputerError("EOPTION", `${owner} was given the name ${ref.name} with the id of another object.`);
}

function idOf(namespace: Namespace, { binding, id }: WorkspaceObjectRef, owner: string): DurableObjectId {
  try {
    return namespace.idFromString(id);
  } catch (cause) {
    throw new ComputerError(
      "EOPTION",
      `${owner} was given ${id}, which is no id of ${binding}: use ctx.id.toString().`,
      {
        cause,
      },
    );
  }
}

/** The Worker of the comparison: an object of each system, in which the same programs run. */

import { DurableObject } from "cloudflare:workers";
import * as ours from "@cloudflare/computer";
import * as published from "published-computer";
import { type Api, recorder, type Transcript } from "./program.ts";
import { programs } from "./programs/index.ts";
import { ScriptedComputer } from "./scripted-computer.ts";

interface Env {
  OURS: DurableObjectNamespace;
  PUBLISHED: DurableObjectNamespace;
  OURS_BESIDE: DurableObjectNamespace;
  PUBLISHED_BESIDE: DurableObjectNamespace;
}

// The whole point is to use the one as though it were the other.
const apis = { OURS: ours, PUBLISHED: published as never as Api } as const;

export interface Runs {
  run(program: string): Promise<Transcript>;
}

function objectOf(system: "OURS" | "PUBLISHED"): new (ctx: DurableObjectState, env: Env) => DurableObject<Env> & Runs {
  const api = apis[system];
  class Beside extends api.withWorkspace(DurableObject<Env>, ({ ctx }) => ({
    storage: ctx.storage,
    backends: [new ScriptedComputer("mine")],
    output: { maxLines: 10, maxBytes: 200 },
  })) {}
  Object.assign(beside, { [system]: Beside });
  return class extends DurableObject<Env> implements Runs {
    async run(id: string): Promise<Transcript> {
      const program = programs.find((program) => program.id === id)!;
      const { step, transcript } = recorder();
      const workspace = new api.Workspace({
        storage: this.ctx.storage,
        backends: [new ScriptedComputer("mine")],
        output: { maxLines: 10, maxBytes: 200 },
      });
      using client = api.getWorkspace(this.env[`${system}_BESIDE`].getByName(id) as never);
      await program.run({ api, workspace, client, step });
      return transcript;
    }
  };
}

const beside = {} as Record<"OURS" | "PUBLISHED", new (ctx: DurableObjectState, env: Env) => DurableObject<Env>>;

export const Ours = objectOf("OURS");
export const Published = objectOf("PUBLISHED");
export const OursBeside = beside.OURS;
export const PublishedBeside = beside.PUBLISHED;

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const [, system, program = ""] = new URL(request.url).pathname.split("/");
    const namespace = system === "ours" ? env.OURS : env.PUBLISHED;
    const object = namespace.getByName(program) as never as Runs;
    return Response.json(await object.run(program));
  },
};

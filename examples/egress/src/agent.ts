/** The agent: its name says how much of the network its computer has. */

import { DurableObject } from "cloudflare:workers";
import { getWorkspace, withWorkspace } from "@cloudflare/computer";
import {
  ContainerBackend,
  computerdHost,
  type WorkspaceEgressPolicy,
  withWorkspaceContainer,
} from "@cloudflare/computer/backends/container";
import type { Env } from "./env.ts";

/** What became of a script. */
export interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

const TIMEOUT_MS = 120_000;

const Contained = withWorkspaceContainer(DurableObject<Env>);

class WithComputer extends Contained {
  /** One for the object's whole life: it knows its own requests again. */
  readonly computer: ContainerBackend = new ContainerBackend({
    workspace: { binding: "AGENT", id: this.ctx.id.toString() },
    container: () => {
      const { COMPUTER_HOST_URL: url, COMPUTER_HOST_TOKEN: token } = this.env;
      return url === "" ? this : computerdHost({ url, token, id: this.ctx.id.toString() });
    },
    egress: policyOf(this.ctx),
  });
}

export class Agent extends withWorkspace(WithComputer, ({ ctx, computer }) => ({
  storage: ctx.storage,
  backends: [computer],
})) {
  /** What the container asks for comes here, by way of `WorkspaceProxy`. */
  override async fetch(request: Request): Promise<Response> {
    return this.computer.handleFetch(request);
  }

  async run(script: string): Promise<Ran> {
    using workspace = getWorkspace(this);
    using run = await workspace.runtime.exec(script, { encoding: "utf8", timeoutMs: TIMEOUT_MS });
    const { exitCode, stdout, stderr } = await run.result();
    return { exitCode, stdout, stderr };
  }
}

function policyOf({ id, exports }: DurableObjectState): WorkspaceEgressPolicy {
  if (id.name === "direct" || id.name === "none") return { mode: id.name };
  return { mode: "http-gateway", gateway: exports.Gateway, revision: "1" };
}

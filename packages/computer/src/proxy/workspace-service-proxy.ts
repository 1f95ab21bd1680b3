/** The way of a Dynamic Worker to the workspace it works for. */

import { WorkerEntrypoint } from "cloudflare:workers";
import type { ArtifactsCLIInput, ArtifactsCLIResult } from "../artifacts/artifact-client.ts";
import { ArtifactsCLITarget } from "../stubs/artifacts-cli-target.ts";
import type { WorkspaceStub } from "../stubs/workspace-stub.ts";
import { type WorkspaceObjectRef, workspaceObject } from "./workspace-object.ts";

/** Which object has the workspace. */
export interface WorkspaceServiceProxyProps extends WorkspaceObjectRef {}

/**
 * A loopback entrypoint that hands out a stub of one object's workspace, and nothing else of the Worker. Export it from the Worker's main
 * module.
 *
 * @example
 * export { WorkspaceServiceProxy } from "@cloudflare/computer";
 * const host = ctx.exports.WorkspaceServiceProxy({ props: { binding: "AGENT", id: ctx.id.toString() } });
 */
export class WorkspaceServiceProxy extends WorkerEntrypoint<unknown, WorkspaceServiceProxyProps> {
  /** A stub of the workspace, to be disposed by who asked for it. */
  async getWorkspace(): Promise<WorkspaceStub> {
    return workspaceObject(this.env, this.ctx.props, "WorkspaceServiceProxy").__getWorkspaceStub();
  }

  /** The command `artifacts` of the workspace, and nothing else of it. */
  async getArtifacts(): Promise<ArtifactsCLITarget> {
    return new ArtifactsCLITarget((input) => this.artifactsCLI(input));
  }

  /** Runs a command line of `artifacts` on the workspace. */
  async artifactsCLI(input: ArtifactsCLIInput): Promise<ArtifactsCLIResult> {
    using workspace = await this.getWorkspace();
    return await workspace.artifacts.cli(input);
  }
}

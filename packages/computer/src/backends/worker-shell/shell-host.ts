/** What a run's commands can ask of the workspace, beside its files. */

import { RpcTarget } from "cloudflare:workers";
import { ComputerError } from "@cloudflare/computer-rpc";
import type { ArtifactClient, ArtifactsCLIInput, ArtifactsCLIResult } from "../../artifacts/artifact-client.ts";
import { noArtifacts } from "../../artifacts/no-artifacts.ts";
import type { AssetsClient } from "../../assets/assets-client.ts";
import { publisherOf } from "../../assets/publisher.ts";
import type { GitCommandLine } from "../../shell/host/artifacts-command.ts";
import type { ShellHostSource } from "../../shell/shell-types.ts";

/** The parts of a workspace that commands ask; those that are missing say so when they are asked. */
export interface ShellHostParts {
  readonly artifacts?: ArtifactClient | undefined;
  readonly assets?: AssetsClient | undefined;
  readonly git?: { cli(line: GitCommandLine): Promise<ArtifactsCLIResult> } | undefined;
}

/** Nothing can be done through one that was closed: what a run that has ended still tries is refused. */
export class ShellHost extends RpcTarget implements ShellHostSource {
  readonly #parts: ShellHostParts;
  #closed = false;

  constructor(parts: ShellHostParts) {
    super();
    this.#parts = parts;
  }

  close(): void {
    this.#closed = true;
  }

  async publish(path: string, options: { expiresAfter: number }): Promise<string> {
    this.#open();
    return publisherOf(this.#parts.assets).publish(path, options);
  }

  async artifacts(input: ArtifactsCLIInput): Promise<ArtifactsCLIResult> {
    this.#open();
    return (this.#parts.artifacts ?? noArtifacts()).cli(input);
  }

  async git(line: GitCommandLine): Promise<ArtifactsCLIResult> {
    this.#open();
    const { git } = this.#parts;
    return git === undefined ? { stdout: "", stderr: "git: this workspace has none\n", exitCode: 127 } : git.cli(line);
  }

  #open(): void {
    if (this.#closed) throw new ComputerError("EUNAVAILABLE", "The run has ended.");
  }
}

/** The commands that ask the workspace that a run is of. */

import type { CustomCommand } from "just-bash";
import type { HostWorkspaceStub } from "../shell-types.ts";
import { defineArtifactsCommand } from "./artifacts-command.ts";
import { defineAssetsCommand } from "./assets-command.ts";
import { defineGitCommand } from "./git-command.ts";

/** What of a workspace's stub commands ask. */
export type CommandHost = Pick<HostWorkspaceStub, "artifacts" | "assets" | "git">;

/** `waited` is called after each answer: the host may have changed files. */
export function hostCommands(host: CommandHost, waited: () => void): CustomCommand[] {
  const asking = <Input, Output>(ask: (input: Input) => Promise<Output>): ((input: Input) => Promise<Output>) => {
    return async (input) => {
      try {
        return await ask(input);
      } finally {
        waited();
      }
    };
  };
  const { artifacts, assets, git } = host;
  return [
    ...(git === undefined ? [] : [defineGitCommand({ git: { cli: asking((line) => git.cli(line)) } })]),
    defineAssetsCommand({ assets }),
    ...(artifacts === undefined
      ? []
      : [
          defineArtifactsCommand({
            artifacts,
            git: { cli: asking((line) => (git === undefined ? noGit() : git.cli(line))) },
          }),
        ]),
  ];
}

async function noGit(): Promise<{ stdout: string; stderr: string; exitCode: number }> {
  return { stdout: "", stderr: "there is no git here", exitCode: 127 };
}

/** `artifacts`: git repositories that outlive the workspace. */

import type { CustomCommand } from "just-bash";
import type { ArtifactsCLIInput, ArtifactsCLIResult, RemoteAddFn } from "../../artifacts/artifact-client.ts";
import { command } from "../commands/command.ts";

/** A command line of git, run where the workspace is. */
export interface GitCommandLine {
  argv: string[];
  cwd?: string | undefined;
  env?: Record<string, string> | undefined;
  stdin?: string | undefined;
}

/** What runs `artifacts`, and the `git` of the same workspace; a stub of a workspace is one. */
export interface ArtifactsCommandHost {
  artifacts: { cli(input: ArtifactsCLIInput): Promise<ArtifactsCLIResult> };
  git: { cli(input: GitCommandLine): Promise<ArtifactsCLIResult> };
}

/** The command `artifacts`; with `--remote` it makes a remote of the repository that the shell stands in. */
export function defineArtifactsCommand(host: ArtifactsCommandHost): CustomCommand {
  return command("artifacts", async ({ args, cwd }) => {
    const git = (...argv: string[]): Promise<ArtifactsCLIResult> => host.git.cli({ argv, cwd });
    const remoteAdd: RemoteAddFn = async ({ name, url, force = false }) => {
      const exists = (await git("remote")).stdout.split("\n").includes(name);
      if (exists && !force) return { ok: false, exists };
      const { exitCode, stderr } = await git("remote", ...(exists ? ["set-url"] : ["add"]), name, url);
      return exitCode === 0 ? { ok: true } : { ok: false, message: stderr.trim() };
    };
    // A callback only where one can be called: each is a stub that the other side has to let go of.
    const asked = args.some((word) => /^--remote(?:=|$)/.test(word));
    const { stdout, stderr, exitCode } = await host.artifacts.cli({ argv: args, ...(asked ? { remoteAdd } : {}) });
    return { stdout, stderr, code: exitCode };
  });
}

/** The git of a workspace that has none. */

import { GitError } from "../git-error.ts";
import { forwardingGit } from "./forwarding-git.ts";
import type { GitClient } from "./git-client.ts";

const MESSAGE =
  'this workspace has no git: import { createGitClient } from "@cloudflare/computer/git" and give it git: createGitClient().';

/** Says at every call what to configure; a command line says it on stderr. */
export function noGit(): GitClient {
  return {
    ...forwardingGit(async () => {
      throw new GitError("ENOTCONFIGURED", MESSAGE);
    }),
    cli: async () => ({ stdout: "", stderr: `git: ${MESSAGE}\n`, exitCode: 127 }),
  };
}

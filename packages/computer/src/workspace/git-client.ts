/** The git of a workspace in reach of a client. */

import { forwardingGit } from "../git/client/forwarding-git.ts";
import type { GitClient } from "../git/client/git-client.ts";
import { revivedGitError } from "../git/client/told-error.ts";
import type { WorkspaceLink } from "./workspace-link.ts";

export function gitClient(link: WorkspaceLink): GitClient {
  return forwardingGit(async (ask) => {
    try {
      return await link.use((found) => ask("local" in found ? found.local.git : found.remote.git));
    } catch (error) {
      throw revivedGitError(error);
    }
  });
}

/** The commands that are ours, and those of just-bash with something done before them. */

import type { CustomCommand } from "just-bash";
import type { RemoteFiles } from "../files/remote-files.ts";

export function shellCommands(_files: RemoteFiles | undefined): CustomCommand[] {
  return [];
}

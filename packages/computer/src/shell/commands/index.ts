/** The commands that are ours, and those of just-bash with something done before them. */

import type { CustomCommand } from "just-bash";
import type { Engine } from "../engine/hooks.ts";
import type { RemoteFiles } from "../files/remote-files.ts";
import { checkedTools } from "./checked-tools.ts";
import { diff } from "./diff.ts";
import { grepCommands } from "./grep.ts";
import { ls } from "./ls.ts";
import { od } from "./od.ts";
import { partsOfFiles } from "./parts-of-files.ts";
import { prefetching } from "./prefetching.ts";
import { smallTools, yes } from "./small-tools.ts";
import { sort } from "./sort.ts";
import { xargs } from "./xargs.ts";

export function shellCommands(files: RemoteFiles | undefined, engine: Engine): CustomCommand[] {
  return [
    ...grepCommands(files),
    ...partsOfFiles(files),
    ...smallTools,
    ...checkedTools(files),
    ...prefetching(files),
    yes(engine),
    diff,
    ls(files),
    od,
    sort,
    xargs,
  ];
}

/** The commands that are ours, and those of just-bash with something done before them. */

import type { CustomCommand } from "just-bash";
import type { Engine } from "../engine/hooks.ts";
import type { RemoteFiles } from "../files/remote-files.ts";
import { checkedTools } from "./checked-tools.ts";
import { cut } from "./cut.ts";
import { diff } from "./diff.ts";
import { grepCommands } from "./grep.ts";
import { headTail } from "./head-tail.ts";
import { ls } from "./ls.ts";
import { od } from "./od.ts";
import { prefetching } from "./prefetching.ts";
import { rm } from "./rm.ts";
import { smallTools, yes } from "./small-tools.ts";
import { sort } from "./sort.ts";
import { tr } from "./tr.ts";
import { uniq } from "./uniq.ts";
import { wc } from "./wc.ts";
import { xargs } from "./xargs.ts";

export function shellCommands(files: RemoteFiles | undefined, engine: Engine): CustomCommand[] {
  return [
    ...grepCommands(files),
    ...headTail,
    cut,
    tr,
    uniq,
    wc(files),
    ...smallTools,
    ...checkedTools(files),
    ...prefetching(files),
    yes(engine),
    diff,
    ls(files),
    od,
    rm,
    sort,
    xargs,
  ];
}

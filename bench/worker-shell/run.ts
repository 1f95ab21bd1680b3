/** `node bench/worker-shell/run.ts [rounds] [script…]`: our shell beside the published one, in one workerd. */

import { runBench } from "../beside/bench.ts";
import { scripts } from "./scripts.ts";

await runBench({ name: "worker-shell", noun: "script", cases: scripts });

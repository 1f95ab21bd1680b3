/** `node bench/worker-javascript/run.ts [rounds] [script…]`: our JavaScript computer beside the published one, in one workerd. */

import { runBench } from "../beside/bench.ts";
import { scripts } from "./scripts.ts";

await runBench({ name: "worker-javascript", noun: "script", callsTitle: "our host calls", cases: scripts });

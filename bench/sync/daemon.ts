/** A daemon in a process of its own, which says where it listens. */

import { readConfig, startDaemon } from "@cloudflare/computerd";

const daemon = await startDaemon(readConfig(process.env));
process.stdout.write(`${daemon.address}\n`);
process.once("SIGTERM", () => daemon.close().then(() => process.exit(0)));

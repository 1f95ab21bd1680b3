/** `npm run check`: types, lint and format, without running a test. */

import { runChecks } from "./checks.ts";

const failed = await runChecks();
for (const name of failed) console.log(`[check] failed: ${name}`);
process.exitCode = failed.length === 0 ? 0 : 1;

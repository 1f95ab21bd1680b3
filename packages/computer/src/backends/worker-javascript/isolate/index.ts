/** The modules that every isolate of a script is given, by file name. */

import { FS_PROMISES_SOURCE } from "./fs-promises-source.ts";
import { FS_SOURCE } from "./fs-source.ts";
import { FS_VALUES_SOURCE } from "./fs-values-source.ts";
import { GLOBALS_SOURCE, PROCESS_SOURCE } from "./globals-source.ts";
import { LINK_SOURCE } from "./link-source.ts";
import { MAIN_SOURCE } from "./main-source.ts";

/** Those that each isolate needs. */
export const BASE: Readonly<Record<string, string>> = {
  "main.js": MAIN_SOURCE,
  "link.js": LINK_SOURCE,
  "globals.js": GLOBALS_SOURCE,
};

/** Those that a script may import, each with what it needs itself. */
export const IMPORTABLE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "fs.js": { "fs.js": FS_SOURCE, "fs-promises.js": FS_PROMISES_SOURCE, "fs-values.js": FS_VALUES_SOURCE },
  "fs-promises.js": { "fs-promises.js": FS_PROMISES_SOURCE, "fs-values.js": FS_VALUES_SOURCE },
  "process.js": { "process.js": PROCESS_SOURCE },
};

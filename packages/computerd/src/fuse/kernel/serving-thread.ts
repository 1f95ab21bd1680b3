/** Where the thread that serves a mount starts. */

import { keepCompiled } from "../../compile-cache.ts";

keepCompiled();
await import("./serve-mount.ts");

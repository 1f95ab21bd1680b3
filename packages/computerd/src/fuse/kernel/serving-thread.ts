/** Where the thread that serves a mount starts. */

import { keepCompiled } from "../../compile-cache.ts";

keepCompiled();
void import("./serve-mount.ts");

/** Loads the typst compiler's native addon, which lies beside the bundled code. */

import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

type TypstAddon = typeof import("@myriaddreamin/typst-ts-node-compiler");

const here = dirname(fileURLToPath(import.meta.url));

/** The addon's classes. */
export function loadTypst(): TypstAddon {
  return createRequire(import.meta.url)(join(here, "typst.node"));
}

/** The folder of the fonts that are delivered with the commands. */
export const deliveredFonts: string = join(here, "fonts");

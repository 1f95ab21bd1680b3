/** Has pandoc and typst ready for the computers. */

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { needsDocumentTools } from "@cloudflare/computer-document-tools";
import { ROOT } from "./checkout.ts";

const PACKAGE = join(ROOT, "packages", "document-tools");

/** The folder to hand a host as `tools`, built where it is missing; undefined where the machine's own pandoc and typst will do. */
export function documentTools(): string | undefined {
  if (!needsDocumentTools()) return undefined;
  const folder = join(PACKAGE, "dist");
  if (!existsSync(join(folder, "bin", "pandoc"))) {
    execFileSync(process.execPath, [join(PACKAGE, "build.ts")], { cwd: ROOT, stdio: "inherit" });
  }
  return folder;
}

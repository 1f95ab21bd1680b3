/** Has pandoc and typst ready for the computers. */

import { buildDocumentTools, needsDocumentTools } from "@cloudflare/computer-document-tools";

/** The folder to hand a host as `tools`, built where it is not up to date; undefined where the machine's own pandoc and typst will do. */
export async function documentTools(): Promise<string | undefined> {
  return (await needsDocumentTools()) ? await buildDocumentTools() : undefined;
}

/** Has pandoc and typst ready for the computers. */

import { buildDocumentTools, needsDocumentTools } from "@cloudflare/computer-document-tools";

/** The folders to hand a host as `tools`, built where they are not up to date; none where the machine's own pandoc and typst will do. */
export async function documentTools(): Promise<string[]> {
  return (await needsDocumentTools()) ? [await buildDocumentTools()] : [];
}

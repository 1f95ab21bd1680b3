/** The commands pandoc and typst for a Linux computer that has no native ones. */

export { buildDocumentTools, documentToolsFolder } from "./build-tools.ts";
export { needsDocumentTools } from "./needs-document-tools.ts";

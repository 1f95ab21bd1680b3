/** Makes `dist`, the folder of the commands pandoc and typst: `node packages/document-tools/build.ts`. */

import { buildDocumentTools } from "./src/build-tools.ts";

await buildDocumentTools((line) => console.log(line));

/** The examples behind one address, for `npm run demo` and `npm run dev`. */

import image from "example-image/worker";
import pdf from "example-pdf/worker";
import publish from "example-publish/worker";

export { Studio } from "example-image/worker";
export { Agent } from "example-pdf/worker";
export { Publisher } from "example-publish/worker";

type Env = Parameters<typeof pdf.fetch>[1] & Parameters<typeof image.fetch>[1] & Parameters<typeof publish.fetch>[1];

export default {
  fetch(request: Request, env: Env): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === "/image" || pathname.startsWith("/images/")) return image.fetch(request, env);
    return pathname === "/project" ? publish.fetch(request, env) : pdf.fetch(request, env);
  },
} satisfies ExportedHandler<Env>;

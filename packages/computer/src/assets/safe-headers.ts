/** How a file of anyone's is served next to an application of one's own: never as a page or a script of it. */

/** What a browser shows without running anything. */
const SHOWN =
  /^(?:image\/(?:png|jpeg|gif|webp|avif|bmp|svg\+xml)|(?:audio|video)\/[\w.+-]+|text\/(?:plain|csv|markdown)|application\/(?:pdf|json))(?:;|$)/i;
const PDF = /^application\/pdf(?:;|$)/i;

/** Headers for a file of this type; what could run is saved as bytes and not shown. */
export function safeHeaders(contentType: string, disposition: string): Record<string, string> {
  const shown = SHOWN.test(contentType);
  return {
    "content-type": shown ? contentType : "application/octet-stream",
    "content-disposition": shown ? disposition : disposition.replace(/^inline/, "attachment"),
    "x-content-type-options": "nosniff",
    // A browser's own viewer of PDFs does not work in a sandbox.
    ...(PDF.test(contentType)
      ? {}
      : { "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox" }),
    "referrer-policy": "no-referrer",
    "cache-control": "private, no-cache",
    "accept-ranges": "bytes",
  };
}

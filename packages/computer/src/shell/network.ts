/** Requests of a script's `curl`, over whatever network the isolate has. */

import type { SecureFetch } from "just-bash";

const REDIRECTS = 20;
const BODY_MAX = 64 * 1024 * 1024;

/** The isolate's own `fetch` as the interpreter wants it. What it reaches is the platform's to say: see the backend's `egress`. */
export const isolateFetch: SecureFetch = async (url, options = {}) => {
  let at = url;
  for (let redirects = 0; ; redirects++) {
    const response = await fetch(at, {
      method: options.method ?? "GET",
      headers: new Headers(options.headers),
      redirect: "manual",
      ...(options.body === undefined ? {} : { body: options.body }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    const location = response.headers.get("location");
    if (options.followRedirects !== false && location !== null && response.status >= 300 && response.status < 400) {
      if (redirects >= (options.maxRedirects ?? REDIRECTS)) throw new Error(`Too many redirects (over ${redirects})`);
      at = new URL(location, at).href;
      await response.body?.cancel();
      continue;
    }
    const body = new Uint8Array(await response.arrayBuffer());
    if (body.length > BODY_MAX) throw new Error(`The answer of ${at} is over ${BODY_MAX} bytes`);
    return {
      status: response.status,
      statusText: response.statusText,
      headers: Object.fromEntries(response.headers),
      body,
      url: at,
    };
  }
};

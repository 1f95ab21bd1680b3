/** The certificate authority of a platform that opens a container's HTTPS for a gateway, made known to what commands run. */

import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Environment } from "../exec/environment.ts";

/** Where Cloudflare puts it once requests are intercepted. */
const AUTHORITY = "/etc/cloudflare/certs/cloudflare-containers-ca.crt";
const SYSTEM = "/etc/ssl/certs/ca-certificates.crt";

/** Variables by which OpenSSL, curl, Python's requests and git are told of another file of authorities. */
const BUNDLE = ["SSL_CERT_FILE", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "GIT_SSL_CAINFO"];

/** What a command's environment needs for it, asked at each command: the file comes after the daemon. Empty where there is none. */
export function platformAuthority(authority: string = AUTHORITY, system: string = SYSTEM): () => Environment {
  let known: { readonly text: string; readonly env: Environment } | undefined;
  return () => {
    if (!existsSync(authority)) return {};
    const text = readFileSync(authority, "utf8");
    if (known?.text !== text) {
      const bundle = join(mkdtempSync(join(tmpdir(), "computerd-authorities-")), "bundle.crt");
      writeFileSync(bundle, `${existsSync(system) ? readFileSync(system, "utf8") : ""}\n${text}`);
      const env = { NODE_EXTRA_CA_CERTS: authority, ...Object.fromEntries(BUNDLE.map((name) => [name, bundle])) };
      known = { text, env };
    }
    return known.env;
  };
}

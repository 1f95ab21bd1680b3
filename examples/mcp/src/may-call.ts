/** Who may use the computers. */

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/** With a token, those who send it; without one, only those who call a development server on their own machine. */
export async function mayCall(request: Request, token: string | undefined): Promise<boolean> {
  if (token === undefined || token === "") return LOOPBACK.includes(new URL(request.url).hostname);
  const [sent, wanted] = await Promise.all([
    digest(request.headers.get("Authorization") ?? ""),
    digest(`Bearer ${token}`),
  ]);
  return sent.every((byte, index) => byte === wanted[index]);
}

/** Of one length for all, so that the time that a comparison takes tells nothing of the token. */
async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}

/** Requests to a git server: who asks, and what the server says when it refuses. */

import { Buffer } from "node:buffer";
import { fatal, type GitError } from "../git-error.ts";
import { allowedFetch, type GitAuth, type Network } from "./network.ts";

const AGENT = "git/2.39.5 (@cloudflare/computer)";

export class HttpClient {
  readonly #network: Network;
  /** The address without credentials. */
  readonly url: string;
  #auth: GitAuth | undefined;
  #base: string;

  constructor(url: string, network: Network) {
    const parsed = new URL(url);
    if (parsed.username !== "" || parsed.password !== "") {
      this.#auth = { username: decodeURIComponent(parsed.username), password: decodeURIComponent(parsed.password) };
      parsed.username = "";
      parsed.password = "";
    }
    this.#network = network;
    this.url = url.replace(/\/\/[^/@]*@/, "//").replace(/\/+$/, "");
    this.#base = this.url;
  }

  /** `EAUTH` where it is not allowed, `ENOTAREPO` where there is nothing, `ENETWORK` where it cannot be reached. */
  async ask(
    path: string,
    init: { method: "GET" | "POST"; type?: string; accept: string; body?: Uint8Array | ReadableStream<Uint8Array> },
  ): Promise<Response> {
    const fetch = allowedFetch(this.#network, this.url);
    for (let attempt = 0; ; attempt++) {
      const request = this.#request(`${this.#base}${path}`, init);
      let response: Response;
      try {
        response = await fetch(request);
      } catch (error) {
        throw fatal(`unable to access '${this.url}/': ${error instanceof Error ? error.message : error}`, "ENETWORK");
      }
      if (response.ok) {
        if (init.method === "GET" && response.redirected && response.url.includes(path)) {
          this.#base = response.url.slice(0, response.url.indexOf(path));
        }
        return response;
      }
      await response.body?.cancel().catch(() => {});
      const canAsk = attempt === 0 && response.status === 401 && !(init.body instanceof ReadableStream);
      if (canAsk && (await this.#authenticate())) continue;
      throw refused(response.status, this.url, this.#auth !== undefined);
    }
  }

  async #authenticate(): Promise<boolean> {
    if (this.#network.onAuth === undefined) return false;
    const given = await this.#network.onAuth(this.url, this.#auth ?? {});
    if (given === undefined || given === null) return false;
    this.#auth = given;
    return true;
  }

  #request(url: string, { method, type, accept, body }: Parameters<HttpClient["ask"]>[1]): Request {
    const proxy = this.#network.corsProxy;
    const target = proxy === undefined ? url : `${proxy.replace(/\/+$/, "")}/${url.replace(/^https?:\/\//, "")}`;
    const headers = new Headers({
      "User-Agent": AGENT,
      Accept: accept,
      ...this.#network.headers,
      ...this.#auth?.headers,
    });
    if (type !== undefined) headers.set("Content-Type", type);
    const { username, password } = this.#auth ?? {};
    if ((username !== undefined || password !== undefined) && !headers.has("Authorization")) {
      headers.set("Authorization", `Basic ${Buffer.from(`${username ?? ""}:${password ?? ""}`).toString("base64")}`);
    }
    const stream = body instanceof ReadableStream;
    return new Request(target, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      ...(stream ? { duplex: "half" } : {}),
    } as RequestInit);
  }
}

function refused(status: number, url: string, authenticated: boolean): GitError {
  if (status === 401 && !authenticated) {
    return fatal(
      `could not read Username for '${new URL(url).origin}': give credentials in the address, or with onAuth`,
      "EAUTH",
    );
  }
  if (status === 401 || status === 403) {
    return status === 401
      ? fatal(`Authentication failed for '${url}/'`, "EAUTH")
      : fatal(`unable to access '${url}/': The requested URL returned error: 403`, "EAUTH");
  }
  if (status === 404) return fatal(`repository '${url}/' not found`, "ENOTAREPO");
  return fatal(`unable to access '${url}/': The requested URL returned error: ${status}`, "EHTTP");
}

/** The gateway: decides about every request that a computer makes, and adds what the computer must not know. */

import { WorkerEntrypoint } from "cloudflare:workers";
import type { Env } from "./env.ts";

/** Hosts that are asked for real. */
const ALLOWED: readonly string[] = ["example.com", "www.example.com"];

export class Gateway extends WorkerEntrypoint<Env> {
  override async fetch(request: Request): Promise<Response> {
    const url = new URL(request.url);
    if (url.hostname === "api.internal") {
      const authorized = new Request(request);
      authorized.headers.set("Authorization", `Bearer ${this.env.API_KEY}`);
      return answerOfTheApi(authorized);
    }
    if (ALLOWED.includes(url.hostname) && ["GET", "HEAD"].includes(request.method)) return fetch(request);
    console.log(`refused: ${request.method} ${url.href}`);
    return new Response(`The gateway does not let ${request.method} ${url.hostname} through.\n`, { status: 403 });
  }
}

/** Stands for a service that wants a key. */
function answerOfTheApi(request: Request): Response {
  const key = request.headers.get("Authorization") ?? "";
  if (!key.startsWith("Bearer key-")) return new Response("Who are you?\n", { status: 401 });
  return Response.json({ path: new URL(request.url).pathname, balance: 42 });
}

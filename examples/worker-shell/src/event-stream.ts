/** A run as Server-Sent Events: `stdout` and `stderr` with their text as JSON, and at the end `exit`. */

import { getWorkspace } from "@cloudflare/computer";
import type { Env } from "./agent.ts";

const TIMEOUT_MS = 60_000;

/** Starts a script and answers at once; what it says comes as it says it. Who goes away ends it. */
export function eventStream(env: Env, script: string): Response {
  const encoder = new TextEncoder();
  const workspace = getWorkspace(env.AGENT.getByName("demo"));
  const id = crypto.randomUUID();
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const say = (event: string, data: object): Promise<void> =>
    writer.write(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`));

  const run = async (): Promise<void> => {
    try {
      using handle = await workspace.runtime.exec(script, { id, encoding: "utf8", timeoutMs: TIMEOUT_MS });
      for await (const event of handle) {
        if (event.name === "exit") await say("exit", { code: event.code });
        else await say(event.name, { text: event.value });
      }
      await writer.close();
    } catch (error) {
      await workspace.runtime.killExec(id).catch(() => {});
      await writer.abort(error).catch(() => {});
    } finally {
      workspace[Symbol.dispose]();
    }
  };
  void run();
  return new Response(readable, { headers: { "Content-Type": "text/event-stream", "Cache-Control": "no-store" } });
}

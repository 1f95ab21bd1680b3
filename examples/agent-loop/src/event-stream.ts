/** Server-Sent Events: what an agent does, told as it does it. */

/** Sends one event. Waits until it is taken. */
export type Say = (event: string, data: unknown) => Promise<void>;

export const EVENT_STREAM_HEADERS: Readonly<Record<string, string>> = {
  "content-type": "text/event-stream",
  "cache-control": "no-store",
};

/**
 * The events that `run` says. Where it throws, the last one is `failed` with a `message`. The signal ends when nobody reads any more.
 * The stream is one of bytes, which may travel over Workers RPC.
 */
export function eventStream(run: (say: Say, signal: AbortSignal) => Promise<void>): ReadableStream<Uint8Array> {
  const { readable, writable } = new IdentityTransformStream();
  const writer = writable.getWriter();
  const encoder = new TextEncoder();
  const gone = new AbortController();
  writer.closed.catch((error: unknown) => gone.abort(error));
  const say: Say = (event, data) => writer.write(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
  const play = async (): Promise<void> => {
    try {
      await run(say, gone.signal);
    } catch (error) {
      await say("failed", { message: error instanceof Error ? error.message : String(error) });
    }
    await writer.close();
  };
  // What is left to fail is that nobody reads.
  play().catch(() => {});
  return readable;
}

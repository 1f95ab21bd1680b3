/** The other end of an event stream. */

export interface ServerEvent {
  readonly event: string;
  readonly data: unknown;
}

/** The events of a response, as they come. Throws what the event `failed` says. */
export async function* readEvents(response: Response): AsyncGenerator<ServerEvent> {
  if (!response.ok || response.body === null) {
    throw new Error(`the Worker answered ${response.status}: ${(await response.text()).slice(0, 2000)}`);
  }
  let text = "";
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    text += piece;
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const [, event = "message", json = "null"] = /^event: (.*)\ndata: (.*)$/.exec(text.slice(0, end)) ?? [];
      text = text.slice(end + 2);
      const data: unknown = JSON.parse(json);
      if (event === "failed") throw new Error((data as { message: string }).message);
      yield { event, data };
    }
  }
}

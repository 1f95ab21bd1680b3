/** The program `codecs`. */

import type { Program } from "../program.ts";

export const codecs: Program = {
  id: "codecs",
  title: "codecs and quoting: events as lines, words for a shell",
  async run({ api, step }) {
    const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>;
    const collect = async (stream: ReadableStream): Promise<unknown[]> => Array.fromAsync(stream);
    const text = (chunk: Uint8Array): string => new TextDecoder().decode(chunk);
    const events = [
      { id: "r", seq: 0, name: "stdout", value: bytes("é\n") },
      { id: "r", seq: 1, name: "stderr", value: bytes("oh") },
      { id: "r", seq: 2, name: "exit", code: 3, result: { a: [1] } },
    ] as const;
    await step("a runtime event there and back", async () => {
      const lines = events.map((event) => api.encodeRuntimeEvent(event));
      return collect(api.decodeRuntimeEvents(ReadableStream.from(lines)));
    });
    await step("each event is a line", () => events.map((event) => text(api.encodeRuntimeEvent(event)).endsWith("\n")));
    await step("lines cut anywhere", async () => {
      const line = api.encodeRuntimeEvent(events[0]);
      const cut = Array.from(line, (byte) => Uint8Array.of(byte));
      return collect(api.decodeRuntimeEvents(ReadableStream.from(cut)));
    });
    await step("text events", async () => {
      const lines = [api.encodeRuntimeEvent({ id: "r", seq: 0, name: "stdout", value: "é" })];
      return collect(api.decodeRuntimeEvents(ReadableStream.from(lines)));
    });
    await step("exec events there and back", async () => {
      const given = [
        { id: "r", seq: 0, name: "stdout", value: bytes("x") },
        { id: "r", seq: 1, name: "exit", value: 3 },
      ] as const;
      return collect(api.decodeExecEvents(api.encodeExecEvents(ReadableStream.from(given))));
    });
    await step("what is no event", async () =>
      collect(api.decodeRuntimeEvents(ReadableStream.from([bytes("{broken\n")]))),
    );
    await step("quoted words", () =>
      ["", "plain", "two words", "it's", "$(x)", "a\nb", "é", "-x", "a=b", "~"].map(api.shellQuote),
    );
    await step("a template", () => api.sh`cp ${"a b"} ${["x", "y z", 3]} ${{ raw: "| wc" }} ${7}`);
    await step("an empty list in a template", () => api.sh`ls ${[]} end`);
    await step("constants", () => [api.WORKSPACE_ROOT, api.DEFAULT_CPU_LIMIT_MS]);
  },
};

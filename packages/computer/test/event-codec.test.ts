import { expect, test } from "vitest";
import type { ExecEncoding, WorkspaceRuntimeEvent } from "../src/runtime/event.ts";
import {
  decodeExecEvents,
  decodeRuntimeEvents,
  encodeExecEvents,
  encodeRuntimeEvent,
  encodeRuntimeEvents,
  type WorkspaceExecEvent,
} from "../src/runtime/event-codec.ts";

const EVENTS: WorkspaceRuntimeEvent<ExecEncoding>[] = [
  { id: "r", seq: 0, name: "stdout", value: "text é\n\u2028" },
  { id: "r", seq: 1, name: "stderr", value: Uint8Array.of(0, 255, 128, 10) },
  { id: "r", seq: 2, name: "stdout", value: new Uint8Array(100_000).fill(200) },
  { id: "r", seq: 3, name: "exit", code: 3, result: { a: [1, null] }, ended: "killed" },
];

async function all<T>(stream: ReadableStream<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

function streamOf<T>(items: readonly T[]): ReadableStream<T> {
  return new ReadableStream<T>({
    start(controller) {
      for (const item of items) controller.enqueue(item);
      controller.close();
    },
  });
}

/** A byte stream in pieces of `size`. */
function pieces(bytes: Uint8Array, size: number): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });
}

test("events come back as they went, wherever the stream is cut into pieces", async () => {
  const bytes = new Uint8Array(await new Response(encodeRuntimeEvents(streamOf(EVENTS))).arrayBuffer());
  for (const size of [7, 1000, 1_000_000]) {
    expect(await all(decodeRuntimeEvents(pieces(bytes, size)))).toEqual(EVENTS);
  }
});

test("the form is one JSON object a line, bytes as base64", () => {
  const lines = EVENTS.slice(0, 2).map((event) => new TextDecoder().decode(encodeRuntimeEvent(event)));
  expect(lines).toEqual([
    '{"id":"r","seq":0,"name":"stdout","value":"text é\\n\u2028"}\n',
    '{"id":"r","seq":1,"name":"stderr","bytes":"AP+ACg=="}\n',
  ]);
});

test("events of a command, whose exit is a value, come back too", async () => {
  const events: WorkspaceExecEvent<"utf8">[] = [
    { id: "r", seq: 0, name: "stdout", value: "x" },
    { id: "r", seq: 1, name: "exit", value: 0 },
  ];
  expect(await all(decodeExecEvents<"utf8">(encodeExecEvents(streamOf(events))))).toEqual(events);
});

test("what is no event, and a stream that breaks off, are errors", async () => {
  const decode = (text: string): Promise<unknown> =>
    all(decodeRuntimeEvents(pieces(new TextEncoder().encode(text), 5)));
  await expect(decode("hello\n")).rejects.toMatchObject({ code: "EPROTOCOL" });
  await expect(decode('{"id":"r","seq":0,"name":"other","value":"x"}\n')).rejects.toMatchObject({ code: "EPROTOCOL" });
  await expect(decode('{"id":"r","seq":0,"name":"stdout"}\n')).rejects.toMatchObject({ code: "EPROTOCOL" });
  await expect(decode('{"id":"r","se')).rejects.toMatchObject({ code: "ECONNECTION_LOST" });
});

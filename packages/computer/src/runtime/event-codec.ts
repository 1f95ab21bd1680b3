/** Events as newline-delimited JSON, the form in which they cross an isolate's border: a byte stream is all that Workers RPC carries. */

import { ComputerError } from "@cloudflare/computer-rpc";
import type { ExecEncoding, RuntimeChunk, WorkspaceRuntimeEvent } from "./event.ts";

/** One event of a command, in the older form whose exit has its code as `value`. */
export type WorkspaceExecEvent<E extends ExecEncoding = undefined> =
  | { id: string; seq: number; name: "stdout"; value: RuntimeChunk<E> }
  | { id: string; seq: number; name: "stderr"; value: RuntimeChunk<E> }
  | { id: string; seq: number; name: "exit"; value: number };

/** Text travels as `value`, bytes as base64 in `bytes`. */
interface Line {
  readonly id: string;
  readonly seq: number;
  readonly name: string;
  readonly value?: unknown;
  readonly bytes?: string;
}

/** The longest line a decoder takes, in characters. */
const MAX_LINE = 64 * 1024 * 1024;

/** One event as one line. */
export function encodeRuntimeEvent(event: WorkspaceRuntimeEvent<ExecEncoding>): Uint8Array {
  return encodeLine(event);
}

/** The events of a byte stream of lines. A line that is no event fails the stream with `EPROTOCOL`. */
export function decodeRuntimeEvents(
  source: ReadableStream<Uint8Array>,
): ReadableStream<WorkspaceRuntimeEvent<ExecEncoding>> {
  return decodeLines(source, (line) => decoded(line) as WorkspaceRuntimeEvent<ExecEncoding>);
}

/** A byte stream of lines, one an event. */
export function encodeRuntimeEvents(
  events: ReadableStream<WorkspaceRuntimeEvent<ExecEncoding>>,
): ReadableStream<Uint8Array> {
  return encodeLines(events);
}

/** A byte stream of lines, one an event of a command. */
export function encodeExecEvents(events: ReadableStream<WorkspaceExecEvent<ExecEncoding>>): ReadableStream<Uint8Array> {
  return encodeLines(events);
}

/** The events of a command out of a byte stream of lines. */
export function decodeExecEvents<E extends ExecEncoding>(
  bytes: ReadableStream<Uint8Array>,
): ReadableStream<WorkspaceExecEvent<E>> {
  return decodeLines(bytes, (line) => decoded(line) as WorkspaceExecEvent<E>);
}

function encodeLines<T extends { name: string }>(events: ReadableStream<T>): ReadableStream<Uint8Array> {
  return events.pipeThrough(
    new TransformStream<T, Uint8Array>({ transform: (event, out) => out.enqueue(encodeLine(event)) }),
  );
}

function encodeLine(event: { name: string }): Uint8Array {
  const line = "value" in event && event.value instanceof Uint8Array ? withBase64(event, event.value) : event;
  return new TextEncoder().encode(`${JSON.stringify(line)}\n`);
}

function withBase64(event: object, bytes: Uint8Array): object {
  return { ...event, value: undefined, bytes: base64(bytes) };
}

function decodeLines<T>(source: ReadableStream<Uint8Array>, decode: (line: string) => T): ReadableStream<T> {
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  // Pieces of a line that has not ended yet, joined only once: a long line may come in many.
  let begun: string[] = [];
  let length = 0;
  return source.pipeThrough(
    new TransformStream<Uint8Array, T>({
      transform(bytes, out) {
        const [end = "", ...lines] = text.decode(bytes, { stream: true }).split("\n");
        begun.push(end);
        length += end.length;
        if (length > MAX_LINE) throw badLine(begun.join(""));
        for (const next of lines) {
          out.enqueue(decode(begun.join("")));
          begun = [next];
          length = next.length;
        }
      },
      flush() {
        if (length > 0) throw new ComputerError("ECONNECTION_LOST", "The stream of events broke off within an event.");
      },
    }),
  );
}

function decoded(line: string): unknown {
  const event = parsed(line);
  if (event.bytes === undefined) return event;
  const { bytes, ...rest } = event;
  return { ...rest, value: fromBase64(bytes) };
}

function parsed(line: string): Line {
  let event: unknown;
  try {
    event = JSON.parse(line);
  } catch {
    throw badLine(line);
  }
  if (!isLine(event)) throw badLine(line);
  return event;
}

function isLine(value: unknown): value is Line {
  if (typeof value !== "object" || value === null) return false;
  const event = value as Record<string, unknown>;
  if (typeof event.id !== "string" || !Number.isSafeInteger(event.seq)) return false;
  if (event.name === "exit") return typeof event.code === "number" || typeof event.value === "number";
  if (event.name !== "stdout" && event.name !== "stderr") return false;
  return typeof event.value === "string" || typeof event.bytes === "string";
}

function badLine(line: string): ComputerError {
  return new ComputerError("EPROTOCOL", `This line of an event stream is no event: ${line.slice(0, 120)}`);
}

const PIECE = 0x8000;

function base64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += PIECE) binary += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  return btoa(binary);
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

import { expect, test } from "vitest";
import { RunOutput } from "../src/runtime/run-output.ts";

const piece = (seq: number) => ({ id: "run", seq, name: "stdout" as const, value: new Uint8Array(1000) });

test("an output without limits is kept for a result, and not at all where only the events are read", async () => {
  const read = new RunOutput({ id: "run" });
  read.withoutResult();
  const asked = new RunOutput({ id: "run" });
  for (let seq = 0; seq < 10; seq++) {
    expect(await read.take(piece(seq))).toEqual(piece(seq));
    await asked.take(piece(seq));
  }
  expect([read.bytes("stdout").length, asked.bytes("stdout").length]).toEqual([0, 10_000]);
});

test("what was cut is told with the exit to who reads the events too", async () => {
  const output = new RunOutput({ id: "run", limits: { maxLines: 10, maxBytes: 1500 }, notSaved: "no room" });
  output.withoutResult();
  for (let seq = 0; seq < 3; seq++) await output.take(piece(seq));
  expect(await output.take({ id: "run", seq: 3, name: "exit", code: 0 })).toMatchObject({
    truncated: { stdout: { status: "not-saved", reason: "no room", totalBytes: 3000 } },
  });
});

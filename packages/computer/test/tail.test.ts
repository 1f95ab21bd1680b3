import fc from "fast-check";
import { expect, test } from "vitest";
import { Tail, type TailView } from "../src/runtime/tail.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function tail(limits: { maxLines: number; maxBytes: number }, ...chunks: string[]): TailView & { text: string } {
  const kept = new Tail(limits);
  for (const chunk of chunks) kept.push(encoder.encode(chunk));
  const view = kept.view();
  return { ...view, text: decoder.decode(view.bytes) };
}

test("an output within the limits is kept whole", () => {
  expect(tail({ maxLines: 2, maxBytes: 10 }, "a\n", "b\n")).toMatchObject({
    text: "a\nb\n",
    totalLines: 2,
    firstLine: 1,
    partialLine: false,
  });
  expect(tail({ maxLines: 2, maxBytes: 10 })).toMatchObject({ text: "", totalLines: 0, totalBytes: 0 });
});

test("the last lines are kept, a last line without an end is one", () => {
  expect(tail({ maxLines: 2, maxBytes: 100 }, "a\nb\nc\nd")).toMatchObject({
    text: "c\nd",
    totalLines: 4,
    firstLine: 3,
  });
  expect(tail({ maxLines: 1, maxBytes: 100 }, "a\nb\n")).toMatchObject({ text: "b\n", totalLines: 2, firstLine: 2 });
});

test("bytes are cut at the beginning of a line, or within one that alone is too long", () => {
  expect(tail({ maxLines: 9, maxBytes: 6 }, "long line\nab\ncd\n")).toMatchObject({
    text: "ab\ncd\n",
    firstLine: 2,
    partialLine: false,
  });
  expect(tail({ maxLines: 9, maxBytes: 5 }, "long line\nab\ncd\n")).toMatchObject({ text: "cd\n", firstLine: 3 });
  expect(tail({ maxLines: 9, maxBytes: 4 }, "x\nabcdefgh")).toMatchObject({
    text: "efgh",
    firstLine: 2,
    partialLine: true,
  });
});

test("a character is not cut in half", () => {
  expect(tail({ maxLines: 9, maxBytes: 5 }, "ééé").text).toBe("éé");
});

test("however it comes in pieces, it is the end of the whole, and memory stays bounded", () => {
  const piece = fc.stringMatching(/^[ab\n]{0,8}$/);
  const limits = fc.record({ maxLines: fc.integer({ min: 1, max: 5 }), maxBytes: fc.integer({ min: 1, max: 20 }) });
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), limits, (pieces, bounds) => {
      const kept = new Tail(bounds);
      for (const each of pieces) {
        kept.push(encoder.encode(each));
        expect(kept.chunks.reduce((sum, { length }) => sum + length, 0)).toBeLessThanOrEqual(2 * bounds.maxBytes + 9);
      }
      const whole = pieces.join("");
      const view = kept.view();
      expect(view).toEqual(tailOf(whole, bounds));
    }),
    { numRuns: 2000 },
  );
});

/** The same, said the slow way. */
function tailOf(whole: string, { maxLines, maxBytes }: { maxLines: number; maxBytes: number }): TailView {
  const lines = whole.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  let shown: string[] = [];
  for (const line of lines.toReversed()) {
    if (shown.length === maxLines || shown.join("").length + line.length > maxBytes) break;
    shown = [line, ...shown];
  }
  const last = lines.at(-1);
  const partialLine = shown.length === 0 && last !== undefined;
  const text = partialLine ? last.slice(-maxBytes) : shown.join("");
  return {
    bytes: encoder.encode(text),
    totalBytes: whole.length,
    totalLines: lines.length,
    firstLine: lines.length - Math.max(shown.length, partialLine ? 1 : 0) + 1,
    partialLine,
  };
}

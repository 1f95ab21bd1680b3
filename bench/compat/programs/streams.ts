/** The program `streams`. */

import type { Program } from "../program.ts";

const PIECE = 100_000;

export const streams: Program = {
  id: "streams",
  title: "streams: contents in pieces, ranges, and a stream that fails",
  async run({ workspace: { fs }, step }) {
    await fs.mkdir("/workspace", { recursive: true });
    const pieces = (count: number, failing = false): ReadableStream<Uint8Array<ArrayBuffer>> =>
      ReadableStream.from(
        (async function* () {
          for (let piece = 0; piece < count; piece++) yield new Uint8Array(PIECE).fill(piece);
          if (failing) throw new Error("the source failed");
        })(),
      );
    const sum = async (stream: ReadableStream<Uint8Array>): Promise<object> => {
      let [length, total] = [0, 0];
      for await (const piece of stream) {
        length += piece.length;
        for (const byte of piece) total += byte;
      }
      return { length, total };
    };
    await step("write a stream", () => fs.writeFile("/workspace/big", pieces(30)));
    await step("read it back", async () => sum(await fs.readFile("/workspace/big")));
    await step("size", async () => (await fs.stat("/workspace/big")).size);
    for (const [byteOffset, byteLength] of [
      [0, 1],
      [262_143, 2],
      [1_999_999, 3],
      [2_999_999, 100],
      [3_000_000, 1],
      [4_000_000, 5],
    ] as const) {
      await step(`range ${byteOffset}+${byteLength}`, async () =>
        sum(await fs.readFile("/workspace/big", { byteOffset, byteLength })),
      );
    }
    await step("a text range", () => fs.readFile("/workspace/big", { encoding: "utf8", byteOffset: 0, byteLength: 0 }));
    await step("a negative range", async () => sum(await fs.readFile("/workspace/big", { byteOffset: -1 })));
    await step("a stream that fails", () => fs.writeFile("/workspace/big", pieces(3, true)));
    await step("the file after it", async () => sum(await fs.readFile("/workspace/big")));
    await step("an open stream keeps what it opened", async () => {
      const open = await fs.readFile("/workspace/big");
      await fs.writeFile("/workspace/big", "short");
      return sum(open);
    });
    await step("an empty stream", async () => {
      await fs.writeFile("/workspace/empty", pieces(0));
      return (await fs.stat("/workspace/empty")).size;
    });
  },
};

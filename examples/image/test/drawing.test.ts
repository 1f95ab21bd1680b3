/** The picture follows the words of the prompt. */

import { decode } from "fast-png";
import { expect, test, vi } from "vitest";
import { drawPicture } from "../src/drawing/draw-picture.ts";
import { makeImage } from "../src/make-image.ts";

/** How many pixels of a picture are as red as only something called red is. */
function redPixels(prompt: string): number {
  const { data, channels } = decode(drawPicture(prompt).png);
  let red = 0;
  for (let at = 0; at < data.length; at += channels) {
    if (data[at]! > 180 && data[at + 1]! < 70 && data[at + 2]! < 90) red += 1;
  }
  return red;
}

/** The mean of all parts of all pixels, 0 to 255. */
function lightness(prompt: string): number {
  const { data } = decode(drawPicture(prompt).png);
  return (data as Uint8Array).reduce((sum, value) => sum + value, 0) / data.length;
}

test("the same prompt gives the same bytes, another prompt others", () => {
  const one = drawPicture("a boat on a lake").png;
  expect(drawPicture("a boat on a lake").png).toEqual(one);
  expect(drawPicture("a boat on the lake").png).not.toEqual(one);
  expect(decode(one)).toMatchObject({ width: 960, height: 600, channels: 3, depth: 8 });
});

test("a colour that the prompt names is seen, on the thing that it names", () => {
  expect(redPixels("a blue boat at noon")).toBe(0);
  expect(redPixels("a red boat at noon")).toBeGreaterThan(1500);
  expect(redPixels("three red boats at noon")).toBeGreaterThan(2 * redPixels("a red boat at noon"));
});

test("night is darker than day", () => {
  expect(lightness("a house at night")).toBeLessThan(lightness("a house by day") / 2);
});

test("what the picture shows is told, words without a picture of their own too", () => {
  const { shows } = drawPicture("Two cats near a cabin, in the snow at midnight: hygge!");
  expect(shows).toEqual(["night", "snow", "cat ×2", "house", "“hygge” as an ornament"]);
  expect(drawPicture("雪 🤖").shows).toEqual(["day", "hills", "“雪” as an ornament"]);
  expect(drawPicture("!?").shows).toEqual(["day", "hills"]);
});

test("with a binding of Workers AI the model makes it, and the answer says which", async () => {
  const run = vi.fn(async () => ({ image: btoa("\xff\xd8\xff\xe0 a JPEG") }));
  const { bytes, extension, by } = await makeImage("a red boat", { run });
  expect(run).toHaveBeenCalledExactlyOnceWith("@cf/black-forest-labs/flux-1-schnell", { prompt: "a red boat" });
  expect([...bytes.subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff]);
  expect(extension).toBe("jpg");
  expect(by).toEqual({ generator: "workers-ai", note: "Made by @cf/black-forest-labs/flux-1-schnell." });
});

test("a model that gives no image fails, and nothing is drawn in its place", async () => {
  await expect(makeImage("a red boat", { run: async () => ({}) })).rejects.toThrow("answered without an image");
});

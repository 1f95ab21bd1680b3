/** What a request may say, and how it is refused. */

import { expect, test } from "vitest";
import { BadRequest, codeLength, parseCard } from "../src/card.ts";

function refusal(request: unknown): { status: number; message: string } {
  try {
    parseCard(typeof request === "string" ? request : JSON.stringify(request));
  } catch (error) {
    if (error instanceof BadRequest) return { status: error.status, message: error.message };
    throw error;
  }
  throw new Error("it was accepted");
}

test("a title goes above the text as metadata, whatever is in it", () => {
  const { files } = parseCard(JSON.stringify({ title: 'A "quoted": title', markdown: "## One" }));
  expect(files).toEqual([{ path: "card.md", content: '---\ntitle: "A \\"quoted\\": title"\n---\n\n## One' }]);
});

test("without a title the text is left as it is", () => {
  expect(parseCard(JSON.stringify({ markdown: "## One" }))).toEqual({
    files: [{ path: "card.md", content: "## One" }],
    options: [],
  });
});

test("images come before the text that shows them", () => {
  const card = parseCard(
    JSON.stringify({ markdown: "x", images: [{ path: "img/a b.png", base64: "AAEC" }], options: ["--toc"] }),
  );
  expect(card.files.map(({ path }) => path)).toEqual(["img/a b.png", "card.md"]);
  expect(card.files[0]!.content).toEqual(new Uint8Array([0, 1, 2]));
  expect(card.options).toEqual(["--toc"]);
});

test.each([
  ["none", "one `two` three", 0],
  ["a block", "x\n\n```js\n12345\n```\n\ny", 15],
  ["two, of which one has a shorter fence in it and one has no end", "````\n```\n````\n\n~~~\n12345\n", 23],
])("the code that is counted: %s", (_, markdown, length) => {
  expect(codeLength(parseCard(JSON.stringify({ markdown })))).toBe(length);
});

test.each([
  ["no JSON", "{", "the body must be JSON"],
  ["nothing asked for", {}, "give either `markdown`"],
  ["both", { markdown: "x", topic: "coffee" }, "give either `markdown`"],
  ["a topic that is not there", { topic: "tea" }, "topic: must be one of: computer, coffee"],
  ["a topic of the language itself", { topic: "constructor" }, "topic: must be one of"],
  ["a title for a topic", { topic: "coffee", title: "Tea" }, "a `topic` has its own title"],
  ["an unknown field", { markdown: "x", titel: "x" }, "titel"],
  ["a text that is no text", { markdown: 7 }, "markdown: "],
  ["options that are one string", { markdown: "x", options: "--toc" }, "options: "],
  [
    "an image above the workspace",
    { markdown: "x", images: [{ path: "../a.png", base64: "" }] },
    "images.0.path: must be a relative path",
  ],
  [
    "an absolute image",
    { markdown: "x", images: [{ path: "/etc/a.png", base64: "" }] },
    "images.0.path: must be a relative path",
  ],
  [
    "an image that would be the text",
    { markdown: "x", images: [{ path: "card.md", base64: "" }] },
    "images.0.path: must end in",
  ],
  [
    "an image under the text",
    { markdown: "x", images: [{ path: "card.md/a.png", base64: "" }] },
    "images.0.path: must not lie under card.md, card.pdf",
  ],
  [
    "an image under the PDF",
    { markdown: "x", images: [{ path: "card.pdf/b/a.png", base64: "" }] },
    "images.0.path: must not lie under",
  ],
  [
    "an image with a name that no file can have",
    { markdown: "x", images: [{ path: `a/${"é".repeat(126)}.png`, base64: "" }] },
    "images.0.path: must have names of 255 bytes at most",
  ],
  [
    "an image under another",
    { markdown: "x", images: ["a.png", "a.png/b/c.png"].map((path) => ({ path, base64: "" })) },
    "images: a.png is an image, so a.png/b/c.png cannot lie under it",
  ],
  [
    "two images of one path",
    { markdown: "x", images: ["a.png", "a.png"].map((path) => ({ path, base64: "" })) },
    "images: each needs a path of its own",
  ],
  [
    "half a character in a path",
    '{"markdown":"x","images":[{"path":"\\ud800.png","base64":""}]}',
    "images.0.path: must not have half a character",
  ],
  ["half a character in a text", '{"markdown":"\\udc00"}', "markdown: must not have half a character"],
  ["NUL in an option", { markdown: "x", options: ["--toc", "a\0b"] }, "options.1: must not have a NUL character"],
  [
    "an image that is not base64",
    { markdown: "x", images: [{ path: "a.png", base64: "é" }] },
    "images.0.base64: must be base64",
  ],
])("%s is refused with a message that says it", (_, request, message) => {
  expect(refusal(request)).toEqual({ status: 400, message: expect.stringContaining(message) });
});

test("an image over 8 MiB, and images over 16 MiB together, are refused", () => {
  const image = (path: string, bytes: number) => ({ path, base64: Buffer.alloc(bytes).toString("base64") });
  const MIB = 1024 * 1024;
  expect(refusal({ markdown: "x", images: [image("a.png", 8 * MIB + 1)] })).toMatchObject({ status: 413 });
  const three = ["a.png", "b.png", "c.png"].map((path) => image(path, 6 * MIB));
  expect(refusal({ markdown: "x", images: three })).toMatchObject({ status: 413 });
  expect(parseCard(JSON.stringify({ markdown: "x", images: three.slice(0, 2) })).files).toHaveLength(3);
});

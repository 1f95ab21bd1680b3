/** What a caller may ask for, checked before anything is written. */

import { Buffer } from "node:buffer";
import { z } from "zod";
import { TOPICS } from "./topics.ts";

const MIB = 1024 * 1024;

/** The most bytes a request's body may have. */
export const MAX_BODY_BYTES: number = 24 * MIB;
const MAX_IMAGE_BYTES = 8 * MIB;
const MAX_IMAGES_BYTES = 16 * MIB;
const MAX_MARKDOWN_CHARACTERS = 2 * MIB;

/** A file to write into the workspace, its path relative to the workspace's root. */
export interface CardFile {
  readonly path: string;
  readonly content: string | Uint8Array;
}

/** A PDF to make: the files it is made of, `card.md` the last, and further words for pandoc's command line. */
export interface Card {
  readonly files: readonly CardFile[];
  readonly options: readonly string[];
}

/** A request that is refused, with the HTTP status that says why. */
export class BadRequest extends Error {
  static readonly code = "bad_request";
  readonly code: string = BadRequest.code;
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.name = "BadRequest";
    this.status = status;
  }
}

const image = z.strictObject({
  path: z
    .string()
    .max(1024)
    .refine((path) => path.split("/").every((part) => !["", ".", ".."].includes(part)) && !/[\\\0]/.test(path), {
      error: "must be a relative path inside the workspace, without `.`, `..` and backslashes",
    })
    .refine((path) => /\.(png|jpe?g|gif|svg|webp)$/i.test(path), { error: "must end in png, jpg, gif, svg or webp" }),
  base64: z.string().refine((text) => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text), {
    error: "must be base64",
  }),
});

const request = z.strictObject({
  title: z.string().min(1).max(1000).optional(),
  markdown: z.string().min(1).max(MAX_MARKDOWN_CHARACTERS).optional(),
  topic: z.enum(Object.keys(TOPICS), { error: `must be one of: ${Object.keys(TOPICS).join(", ")}` }).optional(),
  images: z.array(image).max(64).default([]),
  options: z.array(z.string().max(1000)).max(32).default([]),
});

/** Reads the JSON of a request into a card. Throws {@link BadRequest}. */
export function parseCard(body: string): Card {
  const { title, markdown, topic, images, options } = checked(body);
  if ((markdown === undefined) === (topic === undefined)) {
    throw new BadRequest("give either `markdown`, with or without a `title`, or a `topic`");
  }
  if (topic !== undefined && title !== undefined) throw new BadRequest("a `topic` has its own title");
  const text = markdown ?? TOPICS[topic!]!.markdown;
  const heading = title ?? (topic === undefined ? undefined : TOPICS[topic]!.title);
  return {
    files: [...decoded(images), { path: "card.md", content: heading === undefined ? text : titled(heading, text) }],
    options,
  };
}

function checked(body: string): z.infer<typeof request> {
  let data: unknown;
  try {
    data = JSON.parse(body);
  } catch {
    throw new BadRequest("the body must be JSON");
  }
  const result = request.safeParse(data);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) =>
    path.length > 0 ? `${path.join(".")}: ${message}` : message,
  );
  throw new BadRequest(problems.join("; "));
}

function decoded(images: z.infer<typeof request>["images"]): CardFile[] {
  let total = 0;
  return images.map(({ path, base64 }) => {
    const content = new Uint8Array(Buffer.from(base64, "base64"));
    total += content.length;
    if (content.length > MAX_IMAGE_BYTES) throw new BadRequest(`the image ${path} is over 8 MiB`, 413);
    if (total > MAX_IMAGES_BYTES) throw new BadRequest("the images are over 16 MiB together", 413);
    return { path, content };
  });
}

/** Puts the title in a block of metadata of its own, which pandoc merges with one that the text may have. */
function titled(title: string, markdown: string): string {
  return `---\ntitle: ${JSON.stringify(title)}\n---\n\n${markdown}`;
}

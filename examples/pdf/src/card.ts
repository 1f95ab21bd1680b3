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
const MAX_NAME_BYTES = 255;

/** The names at the workspace's root that belong to the card itself. */
export const TEXT = "card.md";
export const PDF = "card.pdf";
/** Where pandoc writes the PDF that takes the place of the last one once it is whole. */
export const FRESH_PDF = ".card-fresh.pdf";
const RESERVED: readonly string[] = [TEXT, PDF, FRESH_PDF];

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

/** Text that a file, its name or a command line can hold. */
const text = z.string().refine((value) => value.isWellFormed(), { error: "must not have half a character" });
const word = text.refine((value) => !value.includes("\0"), { error: "must not have a NUL character" });

const image = z.strictObject({
  path: text
    .max(1024)
    .refine((path) => path.split("/").every((part) => !["", ".", ".."].includes(part)) && !/[\\\0]/.test(path), {
      error: "must be a relative path inside the workspace, without `.`, `..` and backslashes",
    })
    .refine((path) => /\.(png|jpe?g|gif|svg|webp)$/i.test(path), { error: "must end in png, jpg, gif, svg or webp" })
    .refine((path) => path.split("/").every((part) => Buffer.byteLength(part) <= MAX_NAME_BYTES), {
      error: `must have names of ${MAX_NAME_BYTES} bytes at most`,
    })
    .refine((path) => !RESERVED.includes(path.split("/")[0]!), {
      error: `must not lie under ${RESERVED.join(", ")}, which are the card's own`,
    }),
  base64: z.string().refine((text) => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text), {
    error: "must be base64",
  }),
});

const request = z.strictObject({
  title: text.min(1).max(1000).optional(),
  markdown: text.min(1).max(MAX_MARKDOWN_CHARACTERS).optional(),
  topic: z.enum(Object.keys(TOPICS), { error: `must be one of: ${Object.keys(TOPICS).join(", ")}` }).optional(),
  images: z.array(image).max(64).default([]),
  options: z.array(word.max(1000)).max(32).default([]),
});

const promptRequest = z.strictObject({ prompt: text.trim().min(1).max(2000) });

/** Reads the prompt for an agent out of the JSON of a request. Throws {@link BadRequest}. */
export function parsePrompt(json: string): string {
  return checked(json, promptRequest).prompt;
}

/** Reads the JSON of a request into a card. Throws {@link BadRequest}. */
export function parseCard(json: string): Card {
  const { title, markdown, topic, images, options } = checked(json, request);
  if ((markdown === undefined) === (topic === undefined)) {
    throw new BadRequest("give either `markdown`, with or without a `title`, or a `topic`");
  }
  if (topic !== undefined && title !== undefined) throw new BadRequest("a `topic` has its own title");
  refuseClashes(images.map(({ path }) => path));
  const body = markdown ?? TOPICS[topic!]!.markdown;
  const heading = title ?? (topic === undefined ? undefined : TOPICS[topic]!.title);
  return {
    files: [...decoded(images), { path: TEXT, content: heading === undefined ? body : titled(heading, body) }],
    options,
  };
}

function checked<T>(json: string, request: z.ZodType<T>): T {
  let data: unknown;
  try {
    data = JSON.parse(json);
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

/** How many characters of a card's text stand in fenced code. */
export function codeLength({ files }: Card): number {
  const text = files.at(-1)!.content;
  if (typeof text !== "string") return 0;
  const blocks = text.match(/^ {0,3}(`{3,}|~{3,})[\s\S]*?(?:^ {0,3}\1|$(?![\s\S]))/gm) ?? [];
  return blocks.reduce((sum, block) => sum + block.length, 0);
}

/** Refuses paths of which one would have to be both a file and something else. */
function refuseClashes(paths: readonly string[]): void {
  const files = new Set(paths);
  if (files.size < paths.length) throw new BadRequest("images: each needs a path of its own");
  for (const path of paths) {
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      const folder = path.slice(0, end);
      if (files.has(folder)) throw new BadRequest(`images: ${folder} is an image, so ${path} cannot lie under it`);
    }
  }
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

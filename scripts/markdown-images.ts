/** Finds the images beside a Markdown file that its text shows. */

import { readFileSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { parse, postprocess, preprocess } from "micromark";
import { decodeString } from "micromark-util-decode-string";

export interface CollectedMarkdown {
  /** The text; where it showed an image that lies above the file's folder, it now shows it under `images-from-above/`. */
  readonly markdown: string;
  readonly images: readonly { readonly path: string; readonly base64: string }[];
  /** What the text shows and the disk does not have as a file. */
  readonly missing: readonly string[];
}

/** A path in the text, and where it stands there. */
interface Reference {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

const HTML_IMAGE = /<img\b[^>]*?\ssrc\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/dgi;
const IMAGE = /\.(png|jpe?g|gif|svg|webp)$/i;
const BYTE_ORDER_MARK = /^\uFEFF/;

/** Reads a Markdown file and the images that it shows by a relative path. */
export function collectMarkdown(file: string): CollectedMarkdown {
  const text = readFileSync(file, "utf8").replace(BYTE_ORDER_MARK, "");
  const images = new Map<string, string>();
  const missing = new Set<string>();
  const edits: Reference[] = [];
  for (const { path, start, end } of referencesOf(text)) {
    if (!IMAGE.test(path) || /^([a-z][a-z0-9+.-]*:|\/|#)/i.test(path)) continue;
    const source = resolve(dirname(file), path);
    if (!isFile(source)) {
      missing.add(path);
      continue;
    }
    const target = placeFor(path, source, images);
    images.set(target, source);
    if (target !== path) edits.push({ path: target, start, end });
  }
  let markdown = text;
  for (const { path, start, end } of edits.sort((a, b) => b.start - a.start)) {
    markdown = markdown.slice(0, start) + encoded(path) + markdown.slice(end);
  }
  return {
    markdown,
    images: [...images].map(([path, source]) => ({ path, base64: readFileSync(source).toString("base64") })),
    missing: [...missing],
  };
}

/** What the images, the definitions and the HTML images of a text point to. */
function referencesOf(text: string): Reference[] {
  const found: Reference[] = [];
  const within: string[] = [];
  const events = postprocess(
    parse()
      .document()
      .write(preprocess()(text, "utf8", true)),
  );
  for (const [direction, { type, start, end }] of events) {
    if (type === "image" || type === "link") {
      if (direction === "enter") within.push(type);
      else within.pop();
    } else if (direction === "exit") continue;
    else if (
      type === "definitionDestinationString" ||
      (type === "resourceDestinationString" && within.at(-1) === "image")
    ) {
      const path = decoded(decodeString(text.slice(start.offset, end.offset)));
      found.push({ path, start: start.offset, end: end.offset });
    } else if (type === "htmlFlow" || type === "htmlText") {
      found.push(...htmlImages(text.slice(start.offset, end.offset), start.offset));
    }
  }
  return found;
}

function htmlImages(html: string, offset: number): Reference[] {
  const shown = html.replaceAll(/<!--[\s\S]*?-->/g, (comment) => " ".repeat(comment.length));
  return [...shown.matchAll(HTML_IMAGE)].map((match) => {
    const [start, end] = match.indices!.slice(1).find((place) => place !== undefined)!;
    return { path: decoded(shown.slice(start, end)), start: offset + start, end: offset + end };
  });
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Where in the workspace an image goes: where it is beside the file, else under `images-from-above/`. */
function placeFor(path: string, source: string, taken: ReadonlyMap<string, string>): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return above(source, taken);
  }
  return parts.join("/");
}

function above(source: string, taken: ReadonlyMap<string, string>): string {
  for (let count = 0; ; count += 1) {
    const path = `images-from-above/${count === 0 ? "" : `${count}-`}${basename(source)}`;
    if (!taken.has(path) || taken.get(path) === source) return path;
  }
}

/** A path as any place of the text takes it, in parentheses and in quotes too. */
function encoded(path: string): string {
  const percent = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return path
    .split("/")
    .map((part) => encodeURIComponent(part).replaceAll(/[()']/g, percent))
    .join("/");
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

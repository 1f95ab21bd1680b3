/** Finds the images beside a Markdown file that its text shows. */

import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";

export interface CollectedMarkdown {
  /** The text; where it showed an image that lies above the file's folder, it now shows it under `images-from-above/`. */
  readonly markdown: string;
  readonly images: readonly { readonly path: string; readonly base64: string }[];
  /** What the text shows and the disk does not have. */
  readonly missing: readonly string[];
}

const REFERENCES: readonly RegExp[] = [
  /!\[[^\]]*\]\(\s*<?([^)\s>]+)/dg, // ![alt](path "title")
  /^ {0,3}\[[^\]]+\]:\s*<?([^\s>]+)/dgm, // [name]: path
  /<img\b[^>]*?\bsrc\s*=\s*["']?([^"'\s>]+)/dgi, // <img src="path">
];

const IMAGE = /\.(png|jpe?g|gif|svg|webp)$/i;

/** Reads a Markdown file and the images that it shows by a relative path. */
export function collectMarkdown(file: string): CollectedMarkdown {
  const text = readFileSync(file, "utf8");
  const code = text.replaceAll(/^(```|~~~)[\s\S]*?^\1|`[^`\n]*`/gm, (block) => " ".repeat(block.length));
  const images = new Map<string, string>();
  const missing = new Set<string>();
  const edits: { start: number; end: number; path: string }[] = [];
  for (const match of REFERENCES.flatMap((pattern) => [...code.matchAll(pattern)])) {
    const path = decoded(match[1]!);
    if (!IMAGE.test(path) || /^([a-z][a-z0-9+.-]*:|\/|#)/i.test(path)) continue;
    const source = resolve(dirname(file), path);
    if (!existsSync(source)) {
      missing.add(path);
      continue;
    }
    const target = placeFor(path, source, images);
    images.set(target, source);
    const [start, end] = match.indices![1]!;
    if (target !== path) edits.push({ start, end, path: target });
  }
  let markdown = text;
  for (const { start, end, path } of edits.sort((a, b) => b.start - a.start)) {
    markdown = markdown.slice(0, start) + encodeURI(path) + markdown.slice(end);
  }
  return {
    markdown,
    images: [...images].map(([path, source]) => ({ path, base64: readFileSync(source).toString("base64") })),
    missing: [...missing],
  };
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

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

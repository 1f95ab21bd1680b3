/** `read`: a text file by lines or bytes, an image, or a PDF. */

import { WORKSPACE_ROOT } from "@cloudflare/computer-rpc";
import { z } from "zod";
import type { FileStore } from "../../files/file-store.ts";
import { defineTool } from "./define-tool.ts";
import { isFailure, type ToolContent, type ToolDefinition, type ToolFailure, text } from "./definition.ts";
import { type MediaKind, mediaKind } from "./media-kind.ts";
import { readRange, type TextWindow, textWindow } from "./text-window.ts";
import { MEDIA_BYTES, READ_BYTES, READ_LINES, SNIFF_BYTES } from "./tool-limits.ts";
import { toolPath } from "./tool-path.ts";

/** Lines longer than this are shown cut; what is cut counts for offsets all the same. */
export type LineTruncation = { bytes: number } | { chars: number };

export interface ReadToolOptions {
  store: FileStore;
  /** Lines in one result, 2,000 unless given. */
  maxLines?: number | undefined;
  /** Bytes of text in one result, 256 KiB unless given. */
  maxBytes?: number | undefined;
  /** Puts each line's number before it. */
  includeLineNumbers?: boolean | undefined;
  /** Where long lines are cut; nowhere unless given. */
  lineTruncation?: LineTruncation | undefined;
  /** Bytes of an image or a PDF that are handed to a model, 3.5 MiB unless given. */
  maxModelBytes?: number | undefined;
  /** Bytes at the front by which it is told what a file is, 4,096 unless given. */
  mediaSniffBytes?: number | undefined;
}

export interface ReadInput {
  path: string;
  /** The first line, from 1; with `byteOffset` the number of the line that is there. */
  offset?: number | undefined;
  /** The first byte, from 0. */
  byteOffset?: number | undefined;
  /** Lines at most. */
  limit?: number | undefined;
}

const fields = z.object({
  path: z.string().min(1).describe("The file: absolute, or from the workspace's root."),
  offset: z.int().min(1).optional().describe("The first line, from 1."),
  byteOffset: z
    .int()
    .min(0)
    .optional()
    .describe("The first byte, from 0, instead: to go on after a cut, give nextOffset and nextByteOffset."),
  limit: z.int().min(1).optional().describe("Lines at most."),
});

/** Text of a file. A result that does not reach the file's end has `totalLines: null` and says where to go on. */
export interface ReadText {
  readonly path: string;
  readonly content: string;
  /** Of the file, in bytes. */
  readonly size: number;
  /** Null where a position in bytes was given without a line. */
  readonly startLine: number | null;
  readonly totalLines: number | null;
  readonly nextOffset?: number | undefined;
  readonly nextByteOffset?: number | undefined;
}

/** An image or a PDF. */
export interface ReadMedia {
  readonly path: string;
  readonly mediaType: string;
  /** In bytes. */
  readonly size: number;
  /** Base64. */
  readonly data: string;
}

export type ReadOutput = ReadText | ReadMedia | ToolFailure;

export function defineRead(
  options: ReadToolOptions,
  root: string = WORKSPACE_ROOT,
): ToolDefinition<ReadInput, ReadOutput> {
  const { store } = options;
  const maxLines = options.maxLines ?? READ_LINES;
  const maxBytes = options.maxBytes ?? READ_BYTES;
  const maxModelBytes = options.maxModelBytes ?? MEDIA_BYTES;
  return defineTool<ReadInput, ReadOutput>({
    tool: "read",
    description: `Reads a file. Text comes in pages of at most ${maxLines} lines and ${maxBytes} bytes: a page that does not reach the end gives nextOffset and nextByteOffset to go on with. Images (PNG, JPEG, GIF, WebP) and PDFs are shown.`,
    readOnly: true,
    fields,
    bare: "path",
    aliases: { file_path: "path", filePath: "path", file: "path", filename: "path", line: "offset", lines: "limit" },
    example: { path: `${root}/README.md` },
    describe,
    run: async ({ path: given, offset, byteOffset, limit }) => {
      const path = toolPath(given, root);
      const stat = await store.stat(path);
      if (stat === null)
        return { error: `ENOENT: there is no ${path}. List its directory with ls, or look for it with find.` };
      const { size } = stat;
      // A directory, whose size may be 0, is only noticed by reading.
      const head = await readRange(store, path, 0, options.mediaSniffBytes ?? SNIFF_BYTES);
      const kind = mediaKind(head);
      if (kind !== undefined) return readMedia(store, path, size, kind, maxModelBytes);
      const lines = Math.min(limit ?? maxLines, maxLines);
      const found = await textWindow(store, { path, size, line: offset, byteOffset, maxLines: lines, maxBytes });
      if ("totalLines" in found) {
        if (found.totalLines === 0) return { path, content: "", size, startLine: 1, totalLines: 0 };
        return { error: `Line ${offset} is after the end: ${path} has ${found.totalLines} lines.` };
      }
      return shown(path, size, found, options);
    },
  });
}

async function readMedia(
  store: FileStore,
  path: string,
  size: number,
  { mediaType, shown }: MediaKind,
  max: number,
): Promise<ReadOutput> {
  if (!shown) {
    return { error: `${path} is no text but ${mediaType}, ${size} bytes. Look at it with a command, e.g. od or file.` };
  }
  if (size > max) {
    return {
      error: `${path} is ${mediaType} of ${size} bytes, and at most ${max} can be shown. Make a smaller one with a command, or publish it.`,
    };
  }
  const bytes = await readRange(store, path, 0, size);
  return { path, mediaType, size, data: base64(bytes) };
}

function shown(path: string, size: number, found: TextWindow, options: ReadToolOptions): ReadText {
  const { startLine, lines, end } = found;
  const content = decorated(new TextDecoder().decode(found.bytes), startLine, options);
  const page = { path, content, size, startLine };
  if (end >= size) return { ...page, totalLines: startLine === null ? null : startLine - 1 + lines };
  const nextLine = startLine === null ? {} : { nextOffset: startLine + lines };
  return { ...page, totalLines: null, ...nextLine, nextByteOffset: end };
}

function decorated(content: string, startLine: number | null, options: ReadToolOptions): string {
  const { includeLineNumbers = false, lineTruncation } = options;
  const numbered = includeLineNumbers && startLine !== null;
  if (!numbered && lineTruncation === undefined) return content;
  const lines = content.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  return lines
    .map((line, index) => {
      const cut = lineTruncation === undefined ? line : cutLine(line, lineTruncation);
      return numbered ? `${String(startLine + index).padStart(6)}\t${cut}` : cut;
    })
    .join("");
}

function cutLine(line: string, limit: LineTruncation): string {
  const ending = /\r?\n$/.exec(line)?.[0] ?? "";
  const body = line.slice(0, line.length - ending.length);
  if ("chars" in limit) {
    const characters = [...body];
    if (characters.length <= limit.chars) return line;
    return `${characters.slice(0, limit.chars).join("")}… [${characters.length - limit.chars} more characters]${ending}`;
  }
  const bytes = new TextEncoder().encode(body);
  if (bytes.length <= limit.bytes) return line;
  // A streaming decoder keeps back the character that the cut went through.
  const kept = new TextDecoder().decode(bytes.subarray(0, limit.bytes), { stream: true });
  return `${kept}… [${bytes.length - new TextEncoder().encode(kept).length} more bytes]${ending}`;
}

function base64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += 8_192) binary += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(binary);
}

function describe(output: ReadOutput): readonly ToolContent[] {
  if (isFailure(output)) return text(output.error);
  if ("data" in output) {
    const { path, mediaType, size, data } = output;
    return [
      { type: "text", text: `${path}: ${mediaType}, ${size} bytes` },
      { type: "media", data, mediaType },
    ];
  }
  const { content, nextOffset, nextByteOffset } = output;
  if (nextByteOffset === undefined) return text(content === "" ? "[The file is empty.]" : content);
  const line = nextOffset === undefined ? "" : `offset=${nextOffset} and `;
  return text(`${content}\n[There is more: go on with ${line}byteOffset=${nextByteOffset}.]`);
}

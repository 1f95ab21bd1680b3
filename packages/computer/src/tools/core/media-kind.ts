/** What a file is by its first bytes; its name is not asked. */

/** A kind of file that is no text. */
export interface MediaKind {
  readonly mediaType: string;
  /** Whether models can look at it. */
  readonly shown: boolean;
}

interface Signature extends MediaKind {
  /** Bytes as Latin-1 text, and where they stand. */
  readonly at: readonly (readonly [offset: number, bytes: string])[];
}

const SIGNATURES: readonly Signature[] = [
  { mediaType: "image/png", shown: true, at: [[0, "\x89PNG\r\n\x1a\n"]] },
  { mediaType: "image/jpeg", shown: true, at: [[0, "\xff\xd8\xff"]] },
  { mediaType: "image/gif", shown: true, at: [[0, "GIF87a"]] },
  { mediaType: "image/gif", shown: true, at: [[0, "GIF89a"]] },
  {
    mediaType: "image/webp",
    shown: true,
    at: [
      [0, "RIFF"],
      [8, "WEBP"],
    ],
  },
  { mediaType: "application/pdf", shown: true, at: [[0, "%PDF-"]] },
  { mediaType: "application/zip", shown: false, at: [[0, "PK\x03\x04"]] },
  { mediaType: "application/gzip", shown: false, at: [[0, "\x1f\x8b"]] },
  { mediaType: "application/vnd.sqlite3", shown: false, at: [[0, "SQLite format 3\0"]] },
  { mediaType: "application/x-elf", shown: false, at: [[0, "\x7fELF"]] },
  { mediaType: "application/wasm", shown: false, at: [[0, "\0asm"]] },
  {
    mediaType: "image/bmp",
    shown: false,
    at: [
      [0, "BM"],
      [6, "\0\0\0\0"],
    ],
  },
  { mediaType: "image/tiff", shown: false, at: [[0, "II*\0"]] },
  { mediaType: "image/tiff", shown: false, at: [[0, "MM\0*"]] },
  { mediaType: "image/avif", shown: false, at: [[4, "ftypavif"]] },
  { mediaType: "image/heic", shown: false, at: [[4, "ftypheic"]] },
  { mediaType: "video/mp4", shown: false, at: [[4, "ftyp"]] },
];

/** The kind of the file that begins with `head`; undefined for text, or `application/octet-stream` where it is neither. */
export function mediaKind(head: Uint8Array): MediaKind | undefined {
  const found = SIGNATURES.find(({ at }) => at.every(([offset, bytes]) => has(head, offset, bytes)));
  if (found !== undefined) return found;
  return head.includes(0) ? { mediaType: "application/octet-stream", shown: false } : undefined;
}

function has(head: Uint8Array, offset: number, bytes: string): boolean {
  if (head.length < offset + bytes.length) return false;
  for (let index = 0; index < bytes.length; index++) {
    if (head[offset + index] !== bytes.charCodeAt(index)) return false;
  }
  return true;
}

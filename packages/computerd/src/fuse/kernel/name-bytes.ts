/** Names as the kernel has them, bytes, and as a store has them: text in which a byte that is no UTF-8 is a lone surrogate. */

const REPLACEMENT = "\ufffd";
const ESCAPE = 0xdc00;

/** The text of `length` bytes at an offset. */
export function decodeName(bytes: Buffer, start: number, end: number): string {
  for (let at = start; at < end; at++) {
    if (bytes[at]! >= 0x80) return decodeUtf8(bytes, start, end);
  }
  return bytes.toString("latin1", start, end);
}

/** The bytes of a name. */
export function encodeName(name: string): Buffer {
  return name.isWellFormed() ? Buffer.from(name, "utf8") : Buffer.concat(pieces(name));
}

function decodeUtf8(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString("utf8", start, end);
  // A replacement character may be one that really stands there.
  if (!text.includes(REPLACEMENT) || Buffer.from(text, "utf8").equals(bytes.subarray(start, end))) return text;
  let name = "";
  for (let at = start; at < end; ) {
    const length = sequenceLength(bytes, at, end);
    name += length === 0 ? String.fromCharCode(ESCAPE + bytes[at]!) : bytes.toString("utf8", at, at + length);
    at += length || 1;
  }
  return name;
}

/** The length of the UTF-8 sequence at an offset, 0 where there is none. */
function sequenceLength(bytes: Buffer, at: number, end: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return 1;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (at + length > end) return 0;
  const text = bytes.toString("utf8", at, at + length);
  return Buffer.from(text, "utf8").equals(bytes.subarray(at, at + length)) ? length : 0;
}

function pieces(name: string): Buffer[] {
  return name
    .split(/([\udc80-\udcff])/u)
    .map((piece) => (piece.isWellFormed() ? Buffer.from(piece, "utf8") : Buffer.of(piece.charCodeAt(0) - ESCAPE)));
}

/** Names in directories: which are allowed, and their order. */

import { FsError } from "../fs-error.ts";

const NAME_BYTES = 255;
// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is one of the two bytes a name cannot have
const FORBIDDEN = /[/\u0000]/;

/** Refuses a name that cannot stand in a directory: `EINVAL`, `ENAMETOOLONG`, or `EILSEQ` for one that is not UTF-8 where those are not kept. */
export function checkName(name: string, anyBytes: boolean): void {
  if (name === "" || name === "." || name === ".." || FORBIDDEN.test(name)) {
    throw new FsError("EINVAL", { detail: `a name cannot be ${JSON.stringify(name)}` });
  }
  if (name.length > NAME_BYTES || (name.length * 3 > NAME_BYTES && byteLength(name) > NAME_BYTES)) {
    throw new FsError("ENAMETOOLONG");
  }
  if (!anyBytes && !name.isWellFormed()) throw new FsError("EILSEQ");
}

/** Bytes of a string in UTF-8; a lone surrogate, which stands for one byte, counts as one. */
export function byteLength(text: string): number {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      bytes += 4;
      i++;
    } else if (unit >= 0xdc00 && unit < 0xe000) bytes += 1;
    else bytes += 3;
  }
  return bytes;
}

/** Orders names as their bytes in UTF-8 do, which is how SQLite orders them. */
export function compareNames(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return weight(x) - weight(y);
  }
  return a.length - b.length;
}

/** Code units above the surrogates stand for smaller code points than a pair of them. */
function weight(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/** Orders paths so that a directory comes before what is in it and is followed by all of it. */
export function comparePaths(a: string, b: string): number {
  const x = a.split("/");
  const y = b.split("/");
  const length = Math.min(x.length, y.length);
  for (let i = 0; i < length; i++) {
    const order = compareNames(x[i]!, y[i]!);
    if (order !== 0) return order;
  }
  return x.length - y.length;
}

/** A name put under a directory's path. */
export function join(directory: string, name: string): string {
  return directory === "/" ? `/${name}` : `${directory}/${name}`;
}

/** Whether a path is a directory's own or lies under it. */
export function isUnder(path: string, directory: string): boolean {
  return directory === "/" || path === directory || path.startsWith(`${directory}/`);
}

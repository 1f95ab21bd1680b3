/** `od` as GNU has it, for integers, characters and names. */

import { Buffer } from "node:buffer";
import type { CustomCommand } from "just-bash";
import { command, Failure, type Outcome, type Shell } from "./command.ts";
import { countOf, parseOptions } from "./options.ts";

interface Format {
  readonly size: number;
  /** Characters of a column, without the blank before it. */
  readonly width: number;
  readonly printable: boolean;
  tell(bytes: Uint8Array): string;
}

const LINE = 16;

export const od: CustomCommand = command("od", run);

async function run(shell: Shell): Promise<Outcome> {
  const options = parseOptions(shell.args, [
    "A,address-radix=",
    "t,format=",
    "N,read-bytes=",
    "j,skip-bytes=",
    "v,output-duplicates",
    "w,width?",
    "a",
    "b",
    "c",
    "d",
    "o",
    "s",
    "x",
    "i",
    "l",
  ]);
  const radix = options.value("A") ?? "o";
  if (!/^[doxn]$/.test(radix))
    throw new Failure(`invalid output address radix '${radix}'; it must be one character from [doxn]`);
  const old: Readonly<Record<string, string>> = {
    a: "a",
    b: "o1",
    c: "c",
    d: "u2",
    o: "o2",
    s: "d2",
    x: "x2",
    i: "d4",
    l: "d8",
  };
  const types = options.order.flatMap(([name, value]) =>
    name === "t" ? [value] : old[name] === undefined ? [] : [old[name]],
  );
  const formats = (types.length === 0 ? ["o2"] : types).flatMap((type) => formatsOf(type));
  let line = LINE;
  if (options.has("w")) line = options.value("w") === "" ? 32 : countOf(options.value("w") ?? "", "-w argument");
  const pieces: Uint8Array[] = [];
  for (const path of options.operands.length > 0 ? options.operands : ["-"]) pieces.push(await shell.read(path));
  const all = Buffer.concat(pieces);
  const skip = options.has("j") ? countOf(options.value("j") ?? "", "-j argument") : 0;
  if (skip > all.length) throw new Failure("cannot skip past end of combined input");
  const bytes = all.subarray(
    skip,
    options.has("N") ? skip + countOf(options.value("N") ?? "", "-N argument") : undefined,
  );
  const address = (at: number): string => {
    if (radix === "n") return "";
    const base = { o: 8, d: 10, x: 16 }[radix] ?? 8;
    return (at + skip).toString(base).padStart(radix === "x" ? 6 : 7, "0");
  };
  const output: string[] = [];
  let before: string | undefined;
  let starred = false;
  for (let at = 0; at < bytes.length; at += line) {
    const row = bytes.subarray(at, at + line);
    const key = row.join();
    if (!options.has("v") && key === before && row.length === line && at + line < bytes.length) {
      if (!starred) output.push("*\n");
      starred = true;
      continue;
    }
    starred = false;
    before = key;
    output.push(...rowOf(formats, row, line, address(at)));
  }
  if (radix !== "n") output.push(`${address(bytes.length)}\n`);
  return { stdout: output.join("") };
}

/** One line of input in each of the formats; their columns are as wide as the widest needs. */
function rowOf(formats: readonly Format[], row: Uint8Array, line: number, address: string): string[] {
  const perByte = Math.max(...formats.map(({ size, width }) => (width + 1) / size));
  return formats.map((format, index) => {
    const { size, tell, printable } = format;
    const column = Math.ceil(perByte * size);
    let text = index === 0 ? address : " ".repeat(address.length);
    for (let at = 0; at < row.length; at += size) {
      const piece = new Uint8Array(size);
      piece.set(row.subarray(at, at + size));
      text += tell(piece).padStart(column);
    }
    if (printable) {
      const missing = Math.ceil((line - row.length) / size) * column;
      text += `${" ".repeat(missing)}  >${[...row].map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : ".")).join("")}<`;
    }
    return `${text}\n`;
  });
}

function formatsOf(type: string): Format[] {
  const formats: Format[] = [];
  let rest = type;
  while (rest !== "") {
    const match = /^([acdoux])([1248CSIL]?)(z?)/.exec(rest);
    if (match === null) throw new Failure(`invalid type string '${type}'; this shell has a, c, d, o, u and x`);
    const [whole = "", kind = "", given = "", z = ""] = match;
    rest = rest.slice(whole.length);
    const size = kind === "a" || kind === "c" ? 1 : ({ "": 4, C: 1, S: 2, I: 4, L: 8 }[given] ?? Number(given));
    formats.push(formatOf(kind, size, z === "z"));
  }
  return formats;
}

const NAMES =
  "nul soh stx etx eot enq ack bel bs ht nl vt ff cr so si dle dc1 dc2 dc3 dc4 nak syn etb can em sub esc fs gs rs us sp".split(
    " ",
  );
const ESCAPES: Readonly<Record<number, string>> = {
  0: "\\0",
  7: "\\a",
  8: "\\b",
  9: "\\t",
  10: "\\n",
  11: "\\v",
  12: "\\f",
  13: "\\r",
};

function formatOf(kind: string, size: number, printable: boolean): Format {
  if (kind === "a")
    return {
      size,
      width: 3,
      printable,
      tell: ([byte = 0]) => ((byte & 127) === 127 ? "del" : (NAMES[byte & 127] ?? String.fromCharCode(byte & 127))),
    };
  if (kind === "c") {
    return {
      size,
      width: 3,
      printable,
      tell: ([byte = 0]) =>
        ESCAPES[byte] ?? (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : byte.toString(8).padStart(3, "0")),
    };
  }
  const bits = size * 8;
  const value = (bytes: Uint8Array): bigint => bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  if (kind === "x")
    return {
      size,
      width: size * 2,
      printable,
      tell: (bytes) =>
        value(bytes)
          .toString(16)
          .padStart(size * 2, "0"),
    };
  if (kind === "o") {
    const width = Math.ceil(bits / 3);
    return { size, width, printable, tell: (bytes) => value(bytes).toString(8).padStart(width, "0") };
  }
  const width =
    { 1: kind === "d" ? 4 : 3, 2: kind === "d" ? 6 : 5, 4: kind === "d" ? 11 : 10, 8: kind === "d" ? 20 : 20 }[size] ??
    20;
  return {
    size,
    width,
    printable,
    tell: (bytes) => (kind === "d" ? BigInt.asIntN(bits, value(bytes)) : value(bytes)).toString(),
  };
}

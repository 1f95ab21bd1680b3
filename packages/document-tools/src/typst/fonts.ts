/** Lists the font families that documents can use. */

import { closeSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { deliveredFonts } from "./addon.ts";

/** The families that the compiler carries in itself. */
const EMBEDDED = ["DejaVu Sans Mono", "Libertinus Serif", "New Computer Modern", "New Computer Modern Math"];

/** Where Linux keeps fonts. */
const SYSTEM = ["/usr/share/fonts", "/usr/local/share/fonts"];

/** Family names, sorted, each once: the compiler's, those delivered with it, the system's and those under `extra`. */
export function fontFamilies(extra: readonly string[]): string[] {
  const files = [deliveredFonts, ...SYSTEM, ...extra].flatMap((folder) => fontFiles(folder));
  return [...new Set([...EMBEDDED, ...files.flatMap((file) => familiesOf(file))])].sort();
}

function fontFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(ttf|otf|ttc|otc)$/i.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name));
  } catch {
    return [];
  }
}

/** The families of one font file: the typographic family of each face (name 16), or its family (name 1). */
function familiesOf(path: string): string[] {
  const file = openSync(path, "r");
  const at = (offset: number, length: number): Buffer => {
    const bytes = Buffer.alloc(length);
    readSync(file, bytes, 0, length, offset);
    return bytes;
  };
  try {
    const head = at(0, 12);
    const faces = head.toString("latin1", 0, 4) === "ttcf" ? offsets(at(12, 4 * head.readUInt32BE(8))) : [0];
    return faces.flatMap((face) => {
      const tables = at(face + 12, 16 * at(face, 12).readUInt16BE(4));
      for (let entry = 0; entry + 16 <= tables.length; entry += 16) {
        if (tables.toString("latin1", entry, entry + 4) !== "name") continue;
        const name = familyName(at(tables.readUInt32BE(entry + 8), tables.readUInt32BE(entry + 12)));
        return name === undefined ? [] : [name];
      }
      return [];
    });
  } catch {
    return [];
  } finally {
    closeSync(file);
  }
}

function offsets(table: Buffer): number[] {
  return Array.from({ length: table.length / 4 }, (_, at) => table.readUInt32BE(4 * at));
}

/** The English family name in a `name` table of the Windows platform. */
function familyName(table: Buffer): string | undefined {
  const names = new Map<number, string>();
  const texts = table.readUInt16BE(4);
  for (let record = 6; record < 6 + 12 * table.readUInt16BE(2); record += 12) {
    if (table.readUInt16BE(record) !== 3 || table.readUInt16BE(record + 4) !== 0x409) continue;
    const start = texts + table.readUInt16BE(record + 10);
    const text = Buffer.from(table.subarray(start, start + table.readUInt16BE(record + 8)));
    names.set(table.readUInt16BE(record + 6), text.swap16().toString("utf16le"));
  }
  return names.get(16) ?? names.get(1);
}

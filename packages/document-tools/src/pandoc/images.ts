/** Replaces images that typst cannot decode by their descriptions. */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { compileTypst } from "../typst/compile.ts";

/** Typst source without the images of the folder `media` that typst refuses, and those images' names. */
export function replaceUnreadableImages(text: string, media: string): { text: string; replaced: string[] } {
  let changed = text;
  const replaced: string[] = [];
  for (const file of readdirSync(media)) {
    const path = join(media, file);
    const mainText = `#image(${JSON.stringify(path)})`;
    if (compileTypst({ mainPath: "/.image.typ", mainText, root: "/" }).output !== undefined) continue;
    const name = file.replace(/^\d+-/, "");
    changed = replaceCalls(changed, `image(${JSON.stringify(path)}`, JSON.stringify(name));
    replaced.push(name);
  }
  return { text: changed, replaced };
}

/** Puts the `alt` string of each call that starts with `start`, or `otherwise`, in the call's place. */
function replaceCalls(text: string, start: string, otherwise: string): string {
  let result = "";
  let from = 0;
  for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, from)) {
    const end = callEnd(text, at + start.length);
    const alt = /alt: ("(?:[^"\\]|\\.)*")/.exec(text.slice(at + start.length, end));
    result += text.slice(from, at) + (alt?.[1] ?? otherwise);
    from = end;
  }
  return result + text.slice(from);
}

/** The offset behind the parenthesis that closes the call whose arguments go on at `at`. */
function callEnd(text: string, at: number): number {
  const token = /"(?:[^"\\]|\\.)*"|[()]/g;
  token.lastIndex = at;
  let depth = 1;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    if (match[0] === "(") depth++;
    else if (match[0] === ")" && --depth === 0) return token.lastIndex;
  }
  return text.length;
}

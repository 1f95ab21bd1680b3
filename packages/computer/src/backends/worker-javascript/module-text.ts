/** The text of one module: types stripped, and what it imports found. */

import { parse } from "es-module-lexer/js";
import { transform } from "sucrase";

/** One place in a module's text where it names another, or `import.meta`. */
export interface ImportPlace {
  /** What is imported; undefined where it is computed, and for `import.meta`. */
  readonly specifier: string | undefined;
  readonly kind: "static" | "dynamic" | "meta";
  /** What to replace, `[start, end)`: a specifier with its quotes, the word `import` of a computed one, or `import.meta`. */
  readonly start: number;
  readonly end: number;
  /** Attributes after it, to be left out. */
  readonly attributes: readonly [start: number, end: number] | undefined;
}

export interface ModuleText {
  readonly text: string;
  readonly imports: readonly ImportPlace[];
  /** Whether its imports could be read. */
  readonly read: boolean;
  /** Whether it has syntax that only an ES module has. */
  readonly esm: boolean;
  /** Bytes of the source it was made of. */
  readonly sourceBytes: number;
}

export type ModuleKind = "javascript" | "typescript" | "json" | "script";

/**
 * Reads a module. A script without a name is TypeScript where it is no JavaScript. A text that cannot be read is left as it is, for
 * the isolate to say what is wrong with it.
 */
export function readModule(source: string, kind: ModuleKind): ModuleText {
  const sourceBytes = new TextEncoder().encode(source).length;
  if (kind === "json") {
    return {
      text: `export default ${JSON.stringify(JSON.parse(source))};`,
      imports: [],
      read: true,
      esm: true,
      sourceBytes,
    };
  }
  const text = withoutTypes(source.replace(/^\uFEFF?#!/, "//"), kind);
  try {
    const [imports, , , esm] = parse(text);
    return { text, imports: imports.map(placeOf), read: true, esm, sourceBytes };
  } catch {
    return { text, imports: [], read: false, esm: true, sourceBytes };
  }
}

function withoutTypes(source: string, kind: ModuleKind): string {
  if (kind === "javascript" || (kind === "script" && isJavaScript(source))) return source;
  try {
    return transform(source, { transforms: ["typescript"], disableESTransforms: true, production: true }).code;
  } catch (error) {
    if (kind === "script") return source;
    throw error;
  }
}

function isJavaScript(source: string): boolean {
  try {
    transform(source, { transforms: [], disableESTransforms: true });
    return true;
  } catch {
    return false;
  }
}

type Found = ReturnType<typeof parse>[0][number];

function placeOf({ n, s, e, ss, se, d, a }: Found): ImportPlace {
  if (d === -2) return { specifier: undefined, kind: "meta", start: s, end: e, attributes: undefined };
  if (d === -1) {
    // The specifier without its quotes, which are replaced with it.
    const attributes = a === -1 ? undefined : ([e + 1, se] as const);
    return { specifier: n, kind: "static", start: s - 1, end: e + 1, attributes };
  }
  if (n === undefined) return { specifier: undefined, kind: "dynamic", start: ss, end: d, attributes: undefined };
  const attributes = a === -1 ? undefined : ([e, se - 1] as const);
  return { specifier: n, kind: "dynamic", start: s, end: e, attributes };
}

/** What stands for `import.meta`, and for `import` where what is imported is computed. */
export const META = "__computer_meta";
export const COMPUTED = "__computer_computed";

/** The text with each specifier as `urlOf` has it. */
export function rewritten({ text, imports }: ModuleText, urlOf: (specifier: string) => string): string {
  let result = "";
  let at = 0;
  for (const { specifier, kind, start, end, attributes } of imports) {
    const replacement = specifier !== undefined ? JSON.stringify(urlOf(specifier)) : kind === "meta" ? META : COMPUTED;
    result += text.slice(at, start) + replacement;
    at = attributes === undefined ? end : attributes[1];
  }
  return result + text.slice(at);
}

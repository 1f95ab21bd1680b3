/** Git's matching of patterns: `*` and `?` stay within a name, `**` crosses, `[…]` with ranges and classes. */

const CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /[A-Za-z0-9]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the class of control characters
  cntrl: /[\u0000-\u001f\u007f]/,
  digit: /[0-9]/,
  graph: /[\u0021-\u007e]/,
  lower: /[a-z]/,
  print: /[\u0020-\u007e]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /\s/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
};

export interface WildmatchOptions {
  /** `*` does not match a slash. */
  readonly pathname?: boolean;
  readonly ignoreCase?: boolean;
}

/** Whether a text is what a pattern describes, from its beginning to its end. */
export function wildmatch(
  pattern: string,
  text: string,
  { pathname = false, ignoreCase = false }: WildmatchOptions = {},
): boolean {
  const p = ignoreCase ? pattern.toLowerCase() : pattern;
  const t = ignoreCase ? text.toLowerCase() : text;
  return match(p, 0, t, 0, pathname, { left: 100_000 });
}

/** `left` bounds the work that a pattern of many stars can make. */
function match(p: string, pi: number, t: string, ti: number, pathname: boolean, work: { left: number }): boolean {
  for (; pi < p.length; pi++, ti++) {
    if (work.left-- <= 0) return false;
    const char = p[pi]!;
    if (ti >= t.length && char !== "*") return false;
    if (char === "?") {
      if (pathname && t[ti] === "/") return false;
    } else if (char === "*") {
      return star(p, pi, t, ti, pathname, work);
    } else if (char === "[") {
      const end = bracket(p, pi, t[ti]!, pathname);
      if (end < 0) return false;
      pi = end;
    } else {
      const literal = char === "\\" && pi + 1 < p.length ? p[++pi]! : char;
      if (t[ti] !== literal) return false;
    }
  }
  return ti === t.length;
}

function star(p: string, at: number, t: string, ti: number, pathname: boolean, work: { left: number }): boolean {
  let pi = at;
  while (p[pi] === "*") pi++;
  let crosses = !pathname;
  if (pathname && pi - at >= 2) {
    const before = at === 0 || p[at - 1] === "/";
    const after = pi === p.length || p[pi] === "/" || (p[pi] === "\\" && p[pi + 1] === "/");
    if (before && after) {
      // `**/x` matches `x` too.
      if (p[pi] === "/" && match(p, pi + 1, t, ti, pathname, work)) return true;
      crosses = true;
    }
  }
  if (pi === p.length) return crosses || !t.includes("/", ti);
  for (let i = ti; i <= t.length; i++) {
    if (match(p, pi, t, i, pathname, work)) return true;
    if (!crosses && t[i] === "/") return false;
  }
  return false;
}

/** The end of a bracket that has the character in it; -1 where it has not, or where it never ends. */
function bracket(p: string, at: number, char: string, pathname: boolean): number {
  let pi = at + 1;
  const negated = p[pi] === "!" || p[pi] === "^";
  if (negated) pi++;
  let found = false;
  for (let first = true; first || p[pi] !== "]"; first = false) {
    if (pi >= p.length) return -1;
    if (p[pi] === "[" && p[pi + 1] === ":") {
      const end = p.indexOf(":]", pi + 2);
      const known = end < 0 ? undefined : CLASSES[p.slice(pi + 2, end)];
      if (end >= 0) {
        if (known === undefined) return -1;
        if (known.test(char)) found = true;
        pi = end + 2;
        continue;
      }
    }
    if (p[pi] === "\\") pi++;
    const low = p[pi++];
    if (low === undefined) return -1;
    if (p[pi] === "-" && p[pi + 1] !== "]" && pi + 1 < p.length) {
      pi++;
      if (p[pi] === "\\") pi++;
      const high = p[pi++];
      if (high === undefined) return -1;
      if (char >= low && char <= high) found = true;
    } else if (char === low) found = true;
  }
  if (found === negated || (pathname && char === "/")) return -1;
  return pi;
}

/** Globs over one name, as a shell has them. */

/** Whether a name matches; `*` and `?` match a leading dot and a slash too. */
export function globMatcher(glob: string): (name: string) => boolean {
  let source = "";
  for (let at = 0; at < glob.length; at++) {
    const character = glob[at] ?? "";
    if (character === "*") source += "[\\s\\S]*";
    else if (character === "?") source += "[\\s\\S]";
    else if (character === "\\" && at + 1 < glob.length) source += (glob[++at] ?? "").replace(/[^\w]/, "\\$&");
    else if (character === "[") {
      const end = glob.indexOf("]", at + 2);
      if (end < 0) source += "\\[";
      else {
        source += `[${glob
          .slice(at + 1, end)
          .replace(/^!/, "^")
          .replaceAll("\\", "\\\\")}]`;
        at = end;
      }
    } else source += character.replace(/[.+^${}()|\]\\/]/, "\\$&");
  }
  const expression = new RegExp(`^${source.replace(/(?:\[\\s\\S\]\*)+/g, "[\\s\\S]*")}$`);
  return (name) => expression.test(name);
}

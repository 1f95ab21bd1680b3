/** Commit messages as git takes them: without blanks at the ends of lines, and without more than one empty line at a time. */

/** Tidies a message; comments go where asked. */
export function tidyMessage(text: string, { comments = false }: { comments?: boolean } = {}): string {
  const lines = text
    .split("\n")
    .filter((line) => !(comments && line.startsWith("#")))
    .map((line) => line.replace(/[ \t\r\f\v]+$/, ""));
  const kept = lines.filter((line, i) => line !== "" || (lines[i - 1] !== "" && i > 0));
  while (kept[0] === "") kept.shift();
  while (kept.at(-1) === "") kept.pop();
  return kept.length === 0 ? "" : `${kept.join("\n")}\n`;
}

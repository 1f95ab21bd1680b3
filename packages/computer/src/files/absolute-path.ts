/** Paths as text: what a link leads to is not asked. */

/** An absolute path without `.`, `..`, doubled and trailing slashes, from `base` where it is relative. */
export function absolutePath(base: string, path: string): string {
  const names: string[] = [];
  for (const name of (path.startsWith("/") ? path : `${base}/${path}`).split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return `/${names.join("/")}`;
}

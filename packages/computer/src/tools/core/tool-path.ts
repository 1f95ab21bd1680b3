/** Paths as models write them, as the absolute ones that files have. */

/** Relative paths begin at `root`; `.`, `..` and doubled slashes are gone, a slash at the end stays. */
export function toolPath(path: string, root: string): string {
  const names: string[] = [];
  const all = path.startsWith("/") ? path : `${root}/${path}`;
  for (const name of all.split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  const slash = names.length > 0 && /\/$/.test(path) ? "/" : "";
  return `/${names.join("/")}${slash}`;
}

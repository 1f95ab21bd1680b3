/** Paths as text: absolute, without links known. */

/** A name in a directory. */
export function within(directory: string, name: string): string {
  return directory === "/" ? `/${name}` : `${directory}/${name}`;
}

/** The directory that a path lies in. */
export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}

/** The directory that all of these lie in, or are. */
export function commonAncestor(paths: readonly string[]): string {
  const [first = "/", ...rest] = paths;
  let common = first;
  for (const path of rest)
    while (common !== "/" && path !== common && !path.startsWith(`${common}/`)) common = parentOf(common);
  return common;
}

/** Where a name comes in byte order. */
export function placeOf(names: readonly string[], name: string): number {
  const at = names.findIndex((other) => other > name);
  return at < 0 ? names.length : at;
}

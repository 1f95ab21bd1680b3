/** Paths inside a repository, by their parts. */

/** The directory that a path lies in; empty at the top. */
export function directoryOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}

/** The last name of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Two parts of a path; either may be empty. */
export function joined(directory: string, name: string): string {
  if (directory === "") return name;
  if (name === "") return directory;
  return directory.endsWith("/") ? `${directory}${name}` : `${directory}/${name}`;
}

/** Whether a path is a directory's own or lies under it; everything lies under the empty one. */
export function isWithin(path: string, directory: string): boolean {
  return directory === "" || path === directory || (path.startsWith(directory) && path[directory.length] === "/");
}

/** The way from one absolute directory to a path, as `../x` where it leads out. */
export function relativePath(from: string, to: string): string {
  const a = from.split("/").filter((name) => name !== "");
  const b = to.split("/").filter((name) => name !== "");
  let shared = 0;
  while (shared < a.length && shared < b.length && a[shared] === b[shared]) shared++;
  return [...a.slice(shared).map(() => ".."), ...b.slice(shared)].join("/");
}

/** Paths inside a repository: their order, and their parts. */

/** Orders text as its bytes in UTF-8 do, which is how git orders paths. */
export function compareBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return weight(x) - weight(y);
  }
  return a.length - b.length;
}

/** Code units above the surrogates stand for smaller code points than a pair of them. */
function weight(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

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

/** An absolute path without `.`, `..`, doubled and trailing slashes, from `base` where it is relative. */
export function absolutePath(base: string, path: string): string {
  const names: string[] = [];
  for (const name of (path.startsWith("/") ? path : `${base}/${path}`).split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return `/${names.join("/")}`;
}

/** The way from one absolute directory to a path, as `../x` where it leads out. */
export function relativePath(from: string, to: string): string {
  const a = from.split("/").filter((name) => name !== "");
  const b = to.split("/").filter((name) => name !== "");
  let shared = 0;
  while (shared < a.length && shared < b.length && a[shared] === b[shared]) shared++;
  return [...a.slice(shared).map(() => ".."), ...b.slice(shared)].join("/");
}

/** Which names references can have. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are among what a name cannot have
const FORBIDDEN = /[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|\.lock(?:\/|$)|(?:^|\/)\.|\.$|\/$|^\/|^@$/;

/** Whether a full name such as `refs/heads/x` is allowed. */
export function isRefName(name: string): boolean {
  return name !== "" && !FORBIDDEN.test(name);
}

/** Whether a branch can be called so. */
export function isBranchName(name: string): boolean {
  return !name.startsWith("-") && name !== "HEAD" && isRefName(`refs/heads/${name}`);
}

/** A reference as people call it. */
export function shortName(ref: string): string {
  return ref.replace(/^refs\/(?:heads|tags|remotes)\//, "").replace(/^refs\//, "");
}

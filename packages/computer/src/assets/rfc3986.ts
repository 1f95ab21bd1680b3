/** Percent-encoding as signatures want it: everything but letters, digits and `-._~`. */

/** What `encodeURIComponent` leaves as it is, and a signature does not. */
const LEFT_OUT = /[!'()*]/g;

/** One segment of a path, or a name or value of a query. */
export function encodeSegment(text: string): string {
  return encodeURIComponent(text).replace(
    LEFT_OUT,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** A path, its slashes kept. */
export function encodePath(path: string): string {
  return path.split("/").map(encodeSegment).join("/");
}

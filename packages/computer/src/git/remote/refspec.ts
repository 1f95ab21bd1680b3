/** Refspecs: which references of one side become which of the other. */

import { fatal } from "../git-error.ts";

export interface Refspec {
  readonly force: boolean;
  readonly source: string;
  /** Undefined where nothing is kept. */
  readonly target: string | undefined;
}

export function parseRefspec(text: string): Refspec {
  const force = text.startsWith("+");
  const rest = force ? text.slice(1) : text;
  const colon = rest.indexOf(":");
  const [source, target] = colon < 0 ? [rest, undefined] : [rest.slice(0, colon), rest.slice(colon + 1)];
  const stars = (part: string): number => part.split("*").length - 1;
  if (stars(source) > 1 || (target !== undefined && target !== "" && stars(source) !== stars(target)))
    throw fatal(`invalid refspec '${text}'`, "EREF");
  return { force, source, target: target === "" ? undefined : target };
}

/** What a reference becomes by a refspec; undefined where it is not meant, null where it is and nothing is kept. */
export function mapped({ source, target }: Refspec, ref: string): string | null | undefined {
  const star = source.indexOf("*");
  if (star < 0) return source === ref ? (target ?? null) : undefined;
  const [head, tail] = [source.slice(0, star), source.slice(star + 1)];
  if (!ref.startsWith(head) || !ref.endsWith(tail) || ref.length < head.length + tail.length) return undefined;
  return target === undefined ? null : target.replace("*", ref.slice(head.length, ref.length - tail.length));
}

/** The full name of a reference that a remote has, from a short one. */
export function remoteRef(refs: ReadonlyMap<string, string>, name: string): string | undefined {
  return ["", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"]
    .map((prefix) => prefix + name)
    .find((full) => refs.has(full));
}

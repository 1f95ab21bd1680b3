/** The trees that the index's directories come to, where that is known: what has one needs no tree to be written or compared. */

import { Buffer } from "node:buffer";
import { joined } from "../files/repository-path.ts";
import { bytesOfOid, hexOf, OID_BYTES, viewOf } from "../objects/object-id.ts";

export interface CachedTree {
  readonly oid: string;
  /** Entries of the index that lie under the directory. */
  readonly entries: number;
}

/** By directory, the top one empty. */
export type CacheTree = Map<string, CachedTree>;

/** Reads the extension `TREE`. What it says is invalid is left out. */
export function parseCacheTree(data: Uint8Array): CacheTree {
  const bytes = viewOf(data);
  const trees: CacheTree = new Map();
  let at = 0;
  const visit = (parent: string): void => {
    const nul = bytes.indexOf(0, at);
    const end = bytes.indexOf(0x0a, nul);
    if (nul < 0 || end < 0) throw new RangeError("the cache of trees is cut short");
    const path = joined(parent, bytes.toString("utf8", at, nul));
    const [entries = -1, children = 0] = bytes
      .toString("latin1", nul + 1, end)
      .split(" ")
      .map(Number);
    at = end + 1;
    if (entries >= 0) {
      trees.set(path, { oid: hexOf(bytes, at), entries });
      at += OID_BYTES;
    }
    for (let i = 0; i < children; i++) visit(path);
  };
  if (bytes.length > 0) visit("");
  return trees;
}

/** The extension; every directory of which something is known stands below those above it. */
export function cacheTreeBytes(trees: CacheTree): Buffer {
  const children = new Map<string, Set<string>>([["", new Set()]]);
  for (const path of trees.keys()) {
    for (let at = path; at !== ""; ) {
      const slash = at.lastIndexOf("/");
      const parent = slash < 0 ? "" : at.slice(0, slash);
      const names = children.get(parent) ?? new Set();
      names.add(at.slice(slash + 1));
      children.set(parent, names);
      at = parent;
    }
  }
  const parts: Buffer[] = [];
  const visit = (path: string, name: string): void => {
    const below = [...(children.get(path) ?? [])].sort(bySize);
    const known = trees.get(path);
    parts.push(Buffer.from(`${name}\0${known?.entries ?? -1} ${below.length}\n`));
    if (known !== undefined) parts.push(bytesOfOid(known.oid));
    for (const child of below) visit(joined(path, child), child);
  };
  visit("", "");
  return Buffer.concat(parts);
}

/** Git keeps children by the length of their names first, and looks for them so. */
function bySize(a: string, b: string): number {
  const x = Buffer.from(a);
  const y = Buffer.from(b);
  return x.length - y.length || x.compare(y);
}

/** A whole tree as data, to be compared. */

import { hash } from "node:crypto";

export interface TreeNode {
  kind: string;
  mode: number;
  mtime?: number;
  content?: string;
  nlink?: number;
  target?: string;
  /** The first path, in order, that is the same inode. */
  sameAs?: string;
}

/** Nodes by path. */
export type Tree = Map<string, TreeNode>;

export function fingerprint(bytes: Uint8Array): string {
  return `${bytes.length}:${hash("sha256", bytes).slice(0, 16)}`;
}

/** How two trees differ, a line each; empty when they do not. `fields` are those compared. */
export function differences(actual: Tree, expected: Tree, fields: readonly (keyof TreeNode)[]): string[] {
  const found: string[] = [];
  for (const path of new Set([...actual.keys(), ...expected.keys()])) {
    const [one, other] = [actual.get(path), expected.get(path)];
    if (one === undefined) found.push(`${path}: missing`);
    else if (other === undefined) found.push(`${path}: too many`);
    else {
      for (const field of fields) {
        if (one[field] !== other[field]) found.push(`${path}: ${field} is ${one[field]}, not ${other[field]}`);
      }
    }
  }
  return found;
}

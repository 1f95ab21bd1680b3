/** Checks change entries that came over the wire before a store sees them. */

import type { ChangeEntry, Refused } from "@cloudflare/dofs";
import { z } from "zod";

const HASH_BYTES = 32;
const bytes: z.ZodType<Uint8Array> = z.instanceof(Uint8Array);
const count = z.int().nonnegative();
const base = { rev: count, path: z.string() };
const times = { mode: count.max(0o7777), mtime: z.int(), mtimeNs: count.max(999_999).optional() };
const chunk = z.object({ hash: bytes.refine((hash) => hash.byteLength === HASH_BYTES), size: count });

const schema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("file"),
    ...base,
    ...times,
    size: count,
    chunks: z.array(chunk),
    data: bytes.optional(),
    links: count.optional(),
    sameAs: z.string().optional(),
  }),
  z.object({ kind: z.literal("dir"), ...base, ...times, fresh: z.boolean().optional() }),
  z.object({ kind: z.literal("symlink"), ...base, ...times, target: z.string() }),
  z.object({ kind: z.literal("delete"), ...base, prior: z.string().optional() }),
]);

export interface CheckedEntries {
  readonly good: ChangeEntry[];
  readonly refused: Refused[];
}

/** Parts entries that can be applied under `root` from those that are malformed or point elsewhere; order is kept. */
export function checkEntries(entries: readonly unknown[], root: string): CheckedEntries {
  const good: ChangeEntry[] = [];
  const refused: Refused[] = [];
  for (const entry of entries) {
    const reason = schema.safeParse(entry).success ? pathFault((entry as ChangeEntry).path, root) : "bad-entry";
    if (reason === undefined) good.push(entry as ChangeEntry);
    else refused.push({ path: pathOf(entry), op: opOf(entry), reason, mountRoot: "" });
  }
  return { good, refused };
}

/** Why a path cannot be synced under `root`; undefined where it can. */
export function pathFault(path: string, root: string): "bad-path" | "outside-root" | undefined {
  if (!path.startsWith("/") || path.includes("\0")) return "bad-path";
  const names = path.split("/").slice(1);
  if (names.some((name) => name === "" || name === "." || name === "..")) return "bad-path";
  return root === "/" || path === root || path.startsWith(`${root}/`) ? undefined : "outside-root";
}

function pathOf(entry: unknown): string {
  const path = typeof entry === "object" && entry !== null && "path" in entry ? entry.path : undefined;
  return typeof path === "string" ? path : "";
}

function opOf(entry: unknown): "write" | "delete" {
  return typeof entry === "object" && entry !== null && "kind" in entry && entry.kind === "delete" ? "delete" : "write";
}

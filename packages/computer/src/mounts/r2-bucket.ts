/** A mount of the objects of an R2 bucket. */

import { createHash } from "node:crypto";
import { z } from "zod";
import { checkOptions, objectWith } from "../options/check-options.ts";
import type { EagerMount, MountWriteAPI } from "./mount.ts";
import { keyTree, type ListedObject } from "./r2-keys.ts";

/** The part of a bucket's binding that is used; an `R2Bucket` of the platform is one. */
export interface R2BucketBinding {
  list(options?: { prefix?: string; cursor?: string; limit?: number }): Promise<{
    objects: Array<{ key: string; size: number; etag?: string }>;
    truncated: boolean;
    cursor?: string;
  }>;
  get(key: string): Promise<{ body: ReadableStream<Uint8Array>; size: number } | null>;
}

export interface R2BucketOptions {
  /** Only keys under this directory, which is left off. Default all. */
  prefix?: string | undefined;
  /** Default `read-only`. Changes never go back to the bucket. */
  mode?: "read-only" | "read-write" | undefined;
  /** Keys asked for at once. Default what the bucket gives. */
  listLimit?: number | undefined;
  /** Objects read at once. Default 8. */
  concurrency?: number | undefined;
  maxBytes?: number | undefined;
  maxEntries?: number | undefined;
  /** What becomes of keys that cannot be paths, such as `a//b` or `../x`: the mount fails, or is without them. Default `refuse`. */
  oddKeys?: "refuse" | "skip" | undefined;
}

const CONCURRENCY = 8;
/** Bytes of objects that are read in one piece, which takes a fraction of the time. */
const AT_ONCE = 256 * 1024;

const options: z.ZodObject = z.strictObject({
  prefix: z.string().optional(),
  mode: z.enum(["read-only", "read-write"]).optional(),
  listLimit: z.int().min(1).max(1000).optional(),
  concurrency: z.int().min(1).max(64).optional(),
  maxBytes: z.int().positive().optional(),
  maxEntries: z.int().positive().optional(),
  oddKeys: z.enum(["refuse", "skip"]).optional(),
});

/**
 * The objects of a bucket as files, as they are when the mount is brought over; `ensureMountsIndexed({ refresh: true })` brings over what
 * has changed by then.
 *
 * @example
 * new Workspace({ storage: ctx.storage, mounts: { "/workspace/data": R2Bucket(env.BUCKET, { prefix: "data" }) } });
 */
export function R2Bucket(bucket: R2BucketBinding, given: R2BucketOptions = {}): EagerMount {
  checkOptions(options, given, "R2Bucket");
  checkOptions(z.object({ bucket: objectWith("list", "get") }), { bucket }, "R2Bucket");
  return new R2Mount(bucket, given);
}

class R2Mount implements EagerMount {
  readonly strategy = "eager" as const;
  readonly kind = "r2";
  readonly mode: "read-only" | "read-write";
  readonly maxBytes: number | undefined;
  readonly maxEntries: number | undefined;
  readonly #bucket: R2BucketBinding;
  readonly #options: R2BucketOptions;
  readonly #prefix: string;
  /** What the version was made of, for the files that are brought over next. */
  #listed: ListedObject[] | undefined;

  constructor(bucket: R2BucketBinding, given: R2BucketOptions) {
    this.#bucket = bucket;
    this.#options = given;
    this.#prefix = (given.prefix ?? "").replace(/([^/])$/, "$1/");
    this.mode = given.mode ?? "read-only";
    this.maxBytes = given.maxBytes;
    this.maxEntries = given.maxEntries;
  }

  /** A digest of every key with its contents' tag. */
  readonly version = async (): Promise<string> => {
    this.#listed = await this.#list();
    // Without tags nothing says that contents are the same.
    if (this.#listed.some(({ etag }) => etag === undefined)) return crypto.randomUUID();
    const hash = createHash("sha256").update(JSON.stringify([this.#prefix, this.#options.oddKeys ?? "refuse"]));
    for (const { key, size, etag } of this.#listed) hash.update(JSON.stringify([key, size, etag]));
    return hash.digest("hex");
  };

  async materialize(api: MountWriteAPI): Promise<void> {
    const objects = this.#listed ?? (await this.#list());
    this.#listed = undefined;
    const { files, directories } = keyTree(objects, this.#prefix, this.#options.oddKeys === "skip");
    for (const path of directories) await api.mkdir(`${api.root}/${path}`);
    const left = files.entries();
    let failed = false;
    const work = async (): Promise<void> => {
      for (const [path, { key }] of left) {
        if (failed) return;
        try {
          await this.#bring(api, `${api.root}/${path}`, key);
        } catch (error) {
          failed = true;
          throw error;
        }
      }
    };
    const workers = Array.from({ length: this.#options.concurrency ?? CONCURRENCY }, work);
    for (const outcome of await Promise.allSettled(workers)) if (outcome.status === "rejected") throw outcome.reason;
  }

  async #bring(api: MountWriteAPI, path: string, key: string): Promise<void> {
    const object = await this.#bucket.get(key);
    // It was deleted since it was listed.
    if (object === null) return;
    const short = (bytes: number): Error => new Error(`${key} has ${object.size} bytes, and ${bytes} came`);
    if (object.size <= AT_ONCE) {
      const bytes = new Uint8Array(await new Response(object.body).arrayBuffer());
      if (bytes.length !== object.size) throw short(bytes.length);
      return api.writeFile(path, new Blob([bytes]).stream());
    }
    let bytes = 0;
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        bytes += piece.length;
        controller.enqueue(piece);
      },
      flush() {
        if (bytes !== object.size) throw short(bytes);
      },
    });
    await api.writeFile(path, object.body.pipeThrough(counted));
  }

  async #list(): Promise<ListedObject[]> {
    const objects: ListedObject[] = [];
    let cursor: string | undefined;
    for (;;) {
      const page = await this.#bucket.list({
        prefix: this.#prefix,
        ...(this.#options.listLimit === undefined ? {} : { limit: this.#options.listLimit }),
        ...(cursor === undefined ? {} : { cursor }),
      });
      objects.push(...page.objects);
      // A page may have fewer keys than were asked for, none even, and not be the last.
      if (!page.truncated) return objects;
      if (page.cursor === undefined || page.cursor === cursor) {
        throw new Error("the bucket says that there are more keys, and not where they begin");
      }
      cursor = page.cursor;
    }
  }
}

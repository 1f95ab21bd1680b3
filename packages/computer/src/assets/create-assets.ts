/** Sharing through R2: the file becomes an object of a bucket, and its link is one that S3 signed for. */

import { ComputerError } from "@cloudflare/computer-rpc";
import { z } from "zod";
import { checkOptions, functionOption, objectWith } from "../options/check-options.ts";
import { assetId } from "./asset-id.ts";
import type { AssetsClient, R2PutBucket, ShareOptions, WorkspaceLike } from "./assets-client.ts";
import { contentDisposition } from "./content-disposition.ts";
import { presign } from "./presign.ts";
import { type AssetsEnv, type ResolvedS3, resolveS3, type S3Config, withoutCredentials } from "./s3-config.ts";
import { type ShareRequest, shareRequest } from "./share-request.ts";

export interface CreateAssetsOptions {
  ws: WorkspaceLike;
  /** The binding that files are put through. */
  bucket: R2PutBucket;
  /** The same bucket as S3 knows it, which signs the links. */
  s3: S3Config;
  /** Fills in what `s3` leaves out. Default `process.env`. */
  env?: AssetsEnv | undefined;
  /** Milliseconds since 1970. Default `Date.now`. */
  now?: (() => number) | undefined;
  /** Shares in place of the bucket where there are no S3 credentials, see `createAssetLinks`. */
  links?: AssetsClient | undefined;
}

const KEY_BYTES = 1024;

const options: z.ZodObject = z.strictObject({
  ws: z.custom((value) => typeof value === "object" && value !== null && "fs" in value, {
    error: "it must be a Workspace",
  }),
  bucket: objectWith("put"),
  s3: z.looseObject({ bucket: z.string().min(1) }),
  env: z.custom().optional(),
  now: functionOption().optional(),
  links: objectWith("share").optional(),
});

/**
 * Shares files as objects of an R2 bucket, named `<prefix>/<id>/<name>`. `EOPTION` where credentials are missing, unless `links` is to
 * share without them.
 *
 * @example
 * new Workspace({
 *   storage: ctx.storage,
 *   assets: (ws) => createAssets({ ws, bucket: env.BUCKET, s3: { bucket: "shared" } }),
 * });
 */
export function createAssets(given: CreateAssetsOptions): AssetsClient {
  checkOptions(options, given, "createAssets");
  const { ws, bucket, s3, env = process.env, now = Date.now, links } = given;
  if (links !== undefined && withoutCredentials(s3, env)) return links;
  return new BucketAssets(ws, bucket, resolveS3(s3, env), now);
}

class BucketAssets implements AssetsClient {
  readonly #ws: WorkspaceLike;
  readonly #bucket: R2PutBucket;
  readonly #s3: ResolvedS3;
  readonly #now: () => number;

  constructor(ws: WorkspaceLike, bucket: R2PutBucket, s3: ResolvedS3, now: () => number) {
    this.#ws = ws;
    this.#bucket = bucket;
    this.#s3 = s3;
    this.#now = now;
  }

  async share(path: string, opts: ShareOptions): Promise<string> {
    const request = shareRequest(path, opts);
    const key = this.#keyOf(request);
    // Both at once, so that the size is that of the bytes whatever is written meanwhile.
    const [stat, file] = await Promise.allSettled([this.#ws.fs.stat(path), this.#ws.fs.readFile(path)]);
    if (file.status === "rejected") throw file.reason;
    if (stat.status === "rejected") {
      await file.value.cancel();
      throw stat.reason;
    }
    await this.#bucket.put(key, sized(file.value, stat.value.size), {
      httpMetadata: {
        contentType: request.contentType,
        contentDisposition: contentDisposition(request.disposition, request.filename),
      },
    });
    const { bucket, ...signer } = this.#s3;
    return presign({ ...signer, path: `/${bucket}/${key}`, expires: request.expires, now: this.#now() });
  }

  #keyOf({ basename, prefix }: ShareRequest): string {
    const key = [prefix ?? this.#ws.sessionId, assetId(this.#now()), basename].filter((part) => part !== "").join("/");
    if (new TextEncoder().encode(key).length > KEY_BYTES) {
      throw new ComputerError("EOPTION", `The prefix of assets.share makes a key of over ${KEY_BYTES} bytes.`);
    }
    return key;
  }
}

/** R2 takes only streams whose length is known beforehand. */
function sized(stream: ReadableStream<Uint8Array>, size: number): ReadableStream<Uint8Array> {
  return stream.pipeThrough(new FixedLengthStream(size));
}

/** A request to share a file, checked and filled in before anything is read. */

import { ComputerError } from "@cloudflare/computer-rpc";
import mime from "mime/lite";
import { z } from "zod";
import { checkOptions } from "../options/check-options.ts";
import type { ShareOptions } from "./assets-client.ts";

/** What is known of a share from its path and options. */
export interface ShareRequest {
  /** The last name of the path. */
  readonly basename: string;
  readonly filename: string;
  readonly contentType: string;
  readonly disposition: "inline" | "attachment";
  readonly prefix: string | undefined;
  /** Whole seconds. */
  readonly expires: number;
}

const MAX_SECONDS = 7 * 24 * 60 * 60;
/** Longer names do not fit into a header with all of their characters encoded. */
const FILENAME_BYTES = 255;

const options: z.ZodObject = z.strictObject({
  expiresAfter: z
    .number()
    .positive({ error: "it is the number of milliseconds that the link works, more than 0" })
    .max(MAX_SECONDS * 1000, { error: "a link works seven days at most: 604800000 milliseconds" }),
  prefix: z
    .string()
    .refine((prefix) => !/(^|\/)\.{1,2}(\/|$)|\0/.test(prefix), { error: "it must not have the segments . and .." })
    .optional(),
  contentType: z
    .string()
    .regex(/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:; ?[\w-]+=(?:[\w.+-]+|"[\w .+-]+"))*$/, {
      error: "it must be a media type such as text/plain",
    })
    .optional(),
  filename: z
    .string()
    .min(1)
    .refine((name) => !/[/\\\p{Cc}]/u.test(name), {
      error: "it must be one name, without slashes and control characters",
    })
    .refine((name) => new TextEncoder().encode(name).length <= FILENAME_BYTES, {
      error: `it must have ${FILENAME_BYTES} bytes at most`,
    })
    .optional(),
  disposition: z.enum(["inline", "attachment"]).optional(),
});

/** `EOPTION` for what is wrong. */
export function shareRequest(path: string, opts: ShareOptions): ShareRequest {
  checkOptions(options, opts, "assets.share");
  const basename = path.split("/").findLast((name) => name !== "" && name !== ".");
  if (basename === undefined || basename === "..") {
    throw new ComputerError("EOPTION", `assets.share takes the path of a file, not ${JSON.stringify(path)}.`);
  }
  const filename = opts.filename ?? basename.replaceAll(/\p{Cc}/gu, "_");
  return {
    basename,
    filename,
    contentType: opts.contentType ?? typeOf(filename),
    disposition: opts.disposition ?? "inline",
    prefix: opts.prefix?.replaceAll(/^\/+|\/+$/g, ""),
    expires: Math.ceil(opts.expiresAfter / 1000),
  };
}

function typeOf(filename: string): string {
  const type = mime.getType(filename) ?? "application/octet-stream";
  return type.startsWith("text/") ? `${type}; charset=utf-8` : type;
}

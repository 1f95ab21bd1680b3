/** The studio: a Durable Object with a workspace, which makes images and keeps them as files. */

import { DurableObject } from "cloudflare:workers";
import { getWorkspace, withWorkspace } from "@cloudflare/computer";
import { createAssetLinks, serveAsset } from "@cloudflare/computer/assets";
import type { Env } from "./env.ts";
import { type Image, makeImage } from "./make-image.ts";

/** Where the images lie in the workspace. */
const FOLDER = "/workspace/images";
const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

/** An image that is a file now. */
export interface Made {
  /** The path of a link to it on this Worker, which works for a week. */
  readonly link: string;
  readonly bytes: number;
  readonly by: Image["by"];
}

export class Studio extends withWorkspace(DurableObject<Env>, ({ ctx }) => ({
  storage: ctx.storage,
  assets: (ws) => createAssetLinks({ ws, base: `/images/${ctx.id.name}` }),
})) {
  /** Serves the links. */
  override fetch(request: Request): Promise<Response> {
    return serveAsset(this, request);
  }

  /** Makes an image of the prompt, writes it in the place of an earlier one of the same prompt, and shares it. */
  async makeImage(prompt: string): Promise<Made> {
    const { bytes, extension, by } = await makeImage(prompt, this.env.AI);
    using workspace = getWorkspace(this);
    const file = `${FOLDER}/${await nameOf(prompt)}.${extension}`;
    await workspace.fs.mkdir(FOLDER, { recursive: true });
    await workspace.fs.writeFile(file, bytes);
    return { link: await workspace.assets.publish(file, { expiresAfter: WEEK_MS }), bytes: bytes.length, by };
  }
}

/** The first words of the prompt, and 64 bits of its hash: two prompts of one name are not to be expected. */
async function nameOf(prompt: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(prompt)));
  const words = prompt.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return [...words.slice(0, 6), digest.subarray(0, 8).toHex()].join("-").slice(-100);
}

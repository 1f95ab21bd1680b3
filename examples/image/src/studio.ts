/** The studio: a Durable Object with a workspace, which makes images and keeps them as files. */

import { DurableObject } from "cloudflare:workers";
import { getWorkspace, withWorkspace } from "@cloudflare/computer";
import type { Env } from "./env.ts";
import { type Image, makeImage } from "./make-image.ts";

/** Where the images lie in the workspace. */
export const FOLDER = "/workspace/images";

/** An image that is a file now. */
export interface Made {
  /** Its name in {@link FOLDER}. */
  readonly file: string;
  readonly bytes: number;
  readonly by: Image["by"];
}

export class Studio extends withWorkspace(DurableObject<Env>, ({ ctx }) => ({ storage: ctx.storage })) {
  /** Makes an image of the prompt and writes it, in the place of an earlier one of the same prompt. */
  async makeImage(prompt: string): Promise<Made> {
    const { bytes, extension, by } = await makeImage(prompt, this.env.AI);
    using workspace = getWorkspace(this);
    const file = `${await nameOf(prompt)}.${extension}`;
    await workspace.fs.mkdir(FOLDER, { recursive: true });
    await workspace.fs.writeFile(`${FOLDER}/${file}`, bytes);
    return { file, bytes: bytes.length, by };
  }
}

/** The first words of the prompt, and 64 bits of its hash: two prompts of one name are not to be expected. */
async function nameOf(prompt: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(prompt)));
  const words = prompt.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return [...words.slice(0, 6), digest.subarray(0, 8).toHex()].join("-").slice(-100);
}

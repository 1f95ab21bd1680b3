/** An image of a prompt: by Workers AI where the Worker has it, else drawn here. */

import { Buffer } from "node:buffer";
import { drawPicture } from "./drawing/draw-picture.ts";
import { IMAGE_MODEL, type ImageModels } from "./env.ts";

export interface Image {
  readonly bytes: Uint8Array;
  readonly extension: "png" | "jpg";
  /** Who made it, to be told to who asked. */
  readonly by: { readonly generator: "workers-ai" | "local"; readonly note: string };
}

/** Fails where the model fails: an image that was paid for is not replaced in silence. */
export async function makeImage(prompt: string, models: ImageModels | undefined): Promise<Image> {
  if (models === undefined) {
    const { png, shows } = drawPicture(prompt);
    const note = `Drawn by the Worker itself, without a model, since it has no binding AI. It shows: ${shows.join(", ")}.`;
    return { bytes: png, extension: "png", by: { generator: "local", note } };
  }
  const { image } = await models.run(IMAGE_MODEL, { prompt });
  if (image === undefined) throw new Error(`${IMAGE_MODEL} answered without an image`);
  const bytes = new Uint8Array(Buffer.from(image, "base64"));
  const note = `Made by ${IMAGE_MODEL}.`;
  return { bytes, extension: bytes[0] === 0x89 ? "png" : "jpg", by: { generator: "workers-ai", note } };
}

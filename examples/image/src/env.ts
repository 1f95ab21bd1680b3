/** What the Worker is configured with. */

import type { Studio } from "./studio.ts";

export interface Env {
  readonly STUDIO: DurableObjectNamespace<Studio>;
  /** Workers AI, where the Worker has an account to use it with. */
  readonly AI?: ImageModels;
}

/** What is used of the binding of Workers AI. */
export interface ImageModels {
  run(model: typeof IMAGE_MODEL, input: { prompt: string }): Promise<{ image?: string }>;
}

export const IMAGE_MODEL = "@cf/black-forest-labs/flux-1-schnell";

/** What a launch spec means to the platform. */

import { ComputerError } from "@cloudflare/computer-rpc";
import type { ContainerLaunchSpec } from "./container-api.ts";

/** The image by the name that the images of `wrangler.jsonc` give it, or the one that there is; a reference is itself. */
export function startOptions(container: Pick<Container, "images">, spec: ContainerLaunchSpec): ContainerStartupOptions {
  const { env, enableInternet, name, egress: _, image, containerSnapshot, ...rest } = spec;
  const labels = { ...(name !== undefined && { name }), ...rest.labels };
  const options = {
    ...rest,
    env: { ...env },
    enableInternet,
    ...(Object.keys(labels).length > 0 && { labels }),
  };
  if (containerSnapshot !== undefined) return { ...options, containerSnapshot };
  const chosen = chosenImage(container.images ?? {}, image, name);
  return chosen === undefined ? options : { ...options, image: chosen };
}

function chosenImage(
  images: Readonly<Record<string, string>>,
  asked: string | undefined,
  name: string | undefined,
): string | undefined {
  const names = Object.keys(images);
  if (asked !== undefined) {
    if (images[asked] !== undefined) return images[asked];
    // References have a registry's path, a tag or a digest; names of images have none.
    if (/[/:@]/.test(asked) || names.length === 0) return asked;
    throw new ComputerError(
      "EOPTION",
      `There is no image ${asked} under containers in wrangler.jsonc. ${listed(names)}`,
    );
  }
  if (name !== undefined && images[name] !== undefined) return images[name];
  // Without a map the application has one image, which the platform knows.
  if (names.length <= 1) return names[0] === undefined ? undefined : images[names[0]];
  throw new ComputerError("EOPTION", `Say which image to start: launch: { image: "${names[0]}" }. ${listed(names)}`);
}

function listed(names: readonly string[]): string {
  return `There ${names.length === 1 ? "is" : "are"} ${names.join(", ")}.`;
}

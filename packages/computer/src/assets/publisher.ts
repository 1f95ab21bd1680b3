/** Sharing as clients, commands and scripts have it: a path and a time. */

import { ComputerError } from "@cloudflare/computer-rpc";
import type { AssetsClient, AssetsPublisher } from "./assets-client.ts";

/** The publisher of a workspace; one that cannot share says with `EUNAVAILABLE` what to configure. */
export function publisherOf(assets: AssetsClient | undefined): AssetsPublisher {
  return {
    publish: async (path, { expiresAfter }) => {
      if (assets === undefined) throw noAssets();
      return assets.share(path, { expiresAfter });
    },
  };
}

/** What a workspace without assets answers. */
export function noAssets(): ComputerError {
  return new ComputerError(
    "EUNAVAILABLE",
    "This workspace cannot share files: give it the option assets, made with createAssets() or createAssetLinks() of @cloudflare/computer/assets.",
  );
}

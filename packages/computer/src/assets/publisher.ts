/** Sharing as clients, commands and scripts have it, whether the workspace can share or not. */

import { ComputerError } from "@cloudflare/computer-rpc";
import type { AssetsClient, AssetsPublisher } from "./assets-client.ts";

/** The assets of a workspace; one that cannot share says with `EUNAVAILABLE` what to configure. */
export function publisherOf(assets: AssetsClient | undefined): AssetsClient & AssetsPublisher {
  const share: AssetsClient["share"] = async (path, options) => {
    if (assets === undefined) throw noAssets();
    return assets.share(path, options);
  };
  return { share, publish: (path, { expiresAfter }) => share(path, { expiresAfter }) };
}

/** What a workspace without assets answers. */
export function noAssets(): ComputerError {
  return new ComputerError(
    "EUNAVAILABLE",
    "This workspace cannot share files: give it the option assets, made with createAssets() or createAssetLinks() of @cloudflare/computer/assets.",
  );
}

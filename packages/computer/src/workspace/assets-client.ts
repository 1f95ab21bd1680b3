/** The sharing of files of a workspace in reach of a client. */

import type { AssetsClient, AssetsPublisher, ShareOptions } from "../assets/assets-client.ts";
import { noAssets, publisherOf } from "../assets/publisher.ts";
import type { WorkspaceLink } from "./workspace-link.ts";

export function assetsClient(link: WorkspaceLink): AssetsClient & AssetsPublisher {
  const share = (path: string, options: ShareOptions): Promise<string> =>
    link.use(async (found) => {
      if ("local" in found) return publisherOf(found.local.assets).share(path, options);
      if (!(await found.remote.hasAssets)) throw noAssets();
      return found.remote.assets.share(path, options);
    });
  return publisherOf({ share });
}

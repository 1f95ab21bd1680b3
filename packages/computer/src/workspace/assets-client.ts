/** The sharing of files of a workspace in reach of a client. */

import type { AssetsPublisher } from "../assets/assets-client.ts";
import { noAssets, publisherOf } from "../assets/publisher.ts";
import type { WorkspaceLink } from "./workspace-link.ts";

export function assetsClient(link: WorkspaceLink): AssetsPublisher {
  return {
    publish: (path, options) =>
      link.use(async (found) => {
        if ("local" in found) return publisherOf(found.local.assets).publish(path, options);
        if (!(await found.remote.hasAssets)) throw noAssets();
        return found.remote.assets.publish(path, options);
      }),
  };
}

/** The sharing of files, for another isolate. */

import { RpcTarget } from "cloudflare:workers";
import type { ShareOptions } from "../assets/assets-client.ts";
import { publisherOf } from "../assets/publisher.ts";
import type { ServedWorkspace } from "./served-workspace.ts";

/** Shares files for who holds it. */
export class WorkspaceAssetsStub extends RpcTarget {
  readonly #ws: Pick<ServedWorkspace, "assets">;

  constructor(ws: Pick<ServedWorkspace, "assets">) {
    super();
    this.#ws = ws;
  }

  /** A link to the file; `EUNAVAILABLE` where the workspace cannot share. */
  async publish(path: string, options: Pick<ShareOptions, "expiresAfter">): Promise<string> {
    return publisherOf(this.#ws.assets).publish(path, options);
  }

  /** As `AssetsClient.share`. */
  async share(path: string, options: ShareOptions): Promise<string> {
    return publisherOf(this.#ws.assets).share(path, options);
  }

  /** A part of its workspace's stub, which is what counts. */
  [Symbol.dispose](): void {}
}

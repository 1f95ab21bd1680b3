/** Sharing without a bucket: links that the Worker itself serves, signed with a key of the workspace's own. */

import { ComputerError } from "@cloudflare/computer-rpc";
import type { Database, WorkspaceFilesystem } from "@cloudflare/dofs";
import { z } from "zod";
import { checkOptions, functionOption } from "../options/check-options.ts";
import { assetId } from "./asset-id.ts";
import type { AssetsClient, ShareOptions } from "./assets-client.ts";
import { contentDisposition } from "./content-disposition.ts";
import { LinkRecords } from "./link-records.ts";
import { signToken } from "./link-token.ts";
import { shareRequest } from "./share-request.ts";

/** Where the copies lie that links lead to. */
export const SHARED_DIR = "/.computer/shared";

/** The part of a workspace that links need; a `Workspace` is one. */
export interface LinkedWorkspace {
  readonly db: Database;
  readonly fs: WorkspaceFilesystem;
}

export interface AssetLinksOptions {
  ws: LinkedWorkspace;
  /**
   * What links begin with: the address that the Worker serves them at, e.g. `https://example.com/shared/alice`, or only its path, which
   * is then to be joined with an origin. A function is asked for each link.
   */
  base: string | (() => string);
  /** Milliseconds since 1970. Default `Date.now`. */
  now?: (() => number) | undefined;
}

const options: z.ZodObject = z.strictObject({
  ws: z.custom((value) => typeof value === "object" && value !== null && "db" in value && "fs" in value, {
    error: "it must be a Workspace",
  }),
  base: z.union([z.string(), functionOption()]),
  now: functionOption().optional(),
});

/**
 * Shares files by links `<base>/<token>`, for which the object answers with `serveAsset`. The token tells neither path nor name. Each
 * share is a copy in the workspace, removed after it has expired; `prefix` has no meaning here.
 *
 * @example
 * export class Agent extends withWorkspace(DurableObject<Env>, ({ ctx }) => ({
 *   storage: ctx.storage,
 *   assets: (ws) => createAssetLinks({ ws, base: `https://example.com/shared/${ctx.id.name}` }),
 * })) {
 *   override fetch(request: Request) {
 *     return serveAsset(this, request);
 *   }
 * }
 */
export function createAssetLinks(given: AssetLinksOptions): AssetsClient {
  checkOptions(options, given, "createAssetLinks");
  if (typeof given.base === "string") checkBase(given.base);
  return new AssetLinks(given);
}

class AssetLinks implements AssetsClient {
  readonly #ws: LinkedWorkspace;
  readonly #base: () => string;
  readonly #now: () => number;

  constructor({ ws, base, now = Date.now }: AssetLinksOptions) {
    this.#ws = ws;
    this.#base = typeof base === "function" ? base : () => base;
    this.#now = now;
  }

  async share(path: string, opts: ShareOptions): Promise<string> {
    const request = shareRequest(path, opts);
    const base = checkBase(this.#base());
    const { db, fs } = this.#ws;
    const now = this.#now();
    const id = assetId(now);
    const file = await fs.readFile(path);
    const records = new LinkRecords(db);
    await removeExpired(this.#ws, records, now);
    await fs.mkdir(SHARED_DIR, { recursive: true });
    const expires = Math.ceil(now / 1000) + request.expires;
    const disposition = contentDisposition(request.disposition, request.filename);
    // First, so that no copy is ever left that nothing would remove.
    records.add({ id, expires, contentType: request.contentType, disposition });
    try {
      await fs.writeFile(copyOf(id), file, { exclusive: true });
    } catch (error) {
      records.remove(id);
      throw error;
    }
    return `${base}/${signToken({ id, expires }, records.madeKey())}`;
  }
}

/** The copy that was shared under this id. */
export function copyOf(id: string): string {
  return `${SHARED_DIR}/${id}`;
}

/** Removes what no longer works at `now`, in milliseconds since 1970. */
export async function removeExpired({ fs }: LinkedWorkspace, records: LinkRecords, now: number): Promise<void> {
  for (const id of records.expired(Math.floor(now / 1000))) {
    await fs.rm(copyOf(id), { force: true });
    records.remove(id);
  }
}

/** Without slashes at its end. */
function checkBase(base: string): string {
  const url =
    typeof base === "string" && URL.canParse(base, "http://worker") ? new URL(base, "http://worker") : undefined;
  const begins = typeof base === "string" && (/^https?:\/\//.test(base) || /^\/(?!\/)/.test(base));
  if (url !== undefined && begins && url.search === "" && url.hash === "") return base.replace(/\/+$/, "");
  throw new ComputerError(
    "EOPTION",
    "The option base of createAssetLinks is wrong: it must be the address that the Worker serves links at, such as https://example.com/shared/alice, or its path.",
  );
}

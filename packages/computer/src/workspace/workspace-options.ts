/** What a workspace is made with. */

import type { DurableObjectStorageLike } from "@cloudflare/dofs";
import { z } from "zod";
import type { AssetsClient } from "../assets/assets-client.ts";
import type { WorkspaceRegisteredBackend } from "../computer/backend.ts";
import type { Computer } from "../computer/computer.ts";
import type { GitClientFactory } from "../git/client/create-git-client.ts";
import type { GitIdentity } from "../git/repository/identity.ts";
import type { MountValue } from "../mounts/mount.ts";
import type { WorkspaceObserver } from "../observe/observer.ts";
import { functionOption, objectWith } from "../options/check-options.ts";
import type { SyncLogger } from "../sync/sync-logger.ts";

/** When outputs are too long for a result, and where they are kept. */
export interface WorkspaceOutputOptions {
  /** Lines that a stream of a result has at most, its last ones. Default 2000. */
  readonly maxLines?: number | undefined;
  /** Bytes that a stream of a result has at most, its last ones. Default 65,536. */
  readonly maxBytes?: number | undefined;
  /** An absolute directory. Default `/.computer/output`. */
  readonly dir?: string | undefined;
  /** Files kept, the newest. Default 50. */
  readonly keep?: number | undefined;
}

/** `Self` is the workspace that is made with them. */
export interface WorkspaceOptionsOf<Self> {
  /** `ctx.storage` of a Durable Object with SQLite. */
  storage: DurableObjectStorageLike;
  /** Where things can run; the first is the default. None is fine: then there are only files. */
  backends?: (WorkspaceRegisteredBackend | Computer)[] | undefined;
  /** Milliseconds since 1970. Default `Date.now`. */
  now?: (() => number) | undefined;
  /** Names the workspace in what it does outside. Default a UUID. */
  sessionId?: string | undefined;
  /** Files from elsewhere by the absolute paths of the directories that they stand for, e.g. `R2Bucket(env.BUCKET)`. */
  mounts?: Record<string, MountValue> | undefined;
  observer?: WorkspaceObserver | undefined;
  /** Takes what each sync says of itself. */
  syncTelemetry?: SyncLogger | undefined;
  /** Logs each sync as JSON lines where no `syncTelemetry` is given. Default false. */
  syncTelemetryEnabled?: boolean | undefined;
  /** Git over the files: `createGitClient()` of `@cloudflare/computer/git`. */
  git?: GitClientFactory | undefined;
  /** Who commits where neither the call, the environment nor the configuration says. */
  defaultGitIdentity?: GitIdentity | undefined;
  /** Shares files by links, see `createAssets` and `createAssetLinks`; a function is called once, when the workspace is made. */
  assets?: AssetsClient | ((ws: Self) => AssetsClient) | undefined;
  /**
   * Git repositories that outlive the workspace, of a binding of Artifacts: those of the session, or of the whole namespace where there
   * is no session.
   */
  artifacts?: { binding: Artifacts; sessionId?: string | null } | undefined;
  /** `false` keeps every output whole in its result and saves none. */
  output?: false | WorkspaceOutputOptions | undefined;
}

const positive = z.int().positive();

export const workspaceOptions: z.ZodObject = z.strictObject({
  storage: z.custom((value) => typeof value === "object" && value !== null && "sql" in value, {
    error: "it must be ctx.storage of a Durable Object with SQLite",
  }),
  backends: z.array(objectWith("connect")).optional(),
  now: functionOption().optional(),
  sessionId: z.string().min(1).optional(),
  mounts: z.record(z.string(), z.union([functionOption(), objectWith("materialize")])).optional(),
  observer: objectWith("span").optional(),
  syncTelemetry: objectWith("block", "operation").optional(),
  syncTelemetryEnabled: z.boolean().optional(),
  git: functionOption().optional(),
  defaultGitIdentity: z.strictObject({ name: z.string().min(1), email: z.string().min(1) }).optional(),
  assets: z.union([functionOption(), objectWith("share")]).optional(),
  artifacts: z
    .strictObject({ binding: objectWith("create", "get", "list"), sessionId: z.string().nullish() })
    .optional(),
  output: z
    .union([
      z.literal(false),
      z.strictObject({
        maxLines: positive.optional(),
        maxBytes: positive.optional(),
        dir: z.string().startsWith("/", { error: "it must be an absolute path" }).optional(),
        keep: positive.optional(),
      }),
    ])
    .optional(),
});

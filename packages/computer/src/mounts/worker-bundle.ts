/** A mount of files that were built into the Worker. */

import { createHash } from "node:crypto";
import { ComputerError } from "@cloudflare/computer-rpc";
import { FsError } from "@cloudflare/dofs";
import { z } from "zod";
import { checkOptions, functionOption } from "../options/check-options.ts";
import type { EagerMount, MountWriteAPI } from "./mount.ts";

/** The contents of one file. */
export type WorkerBundleFile = string | Uint8Array;

/** Files by their relative paths, each there or to be loaded. */
export type WorkerBundleTree = { readonly [path: string]: WorkerBundleFile | (() => Promise<WorkerBundleFile>) };

/** A tree and what state of it this is. */
export interface WorkerBundleSource {
  readonly files: Readonly<Record<string, WorkerBundleFile | (() => Promise<WorkerBundleFile>)>>;
  readonly version?: string | undefined;
}

export interface WorkerBundleEntry {
  /** Relative. */
  readonly path: string;
  readonly type: "file" | "dir";
}

export interface WorkerBundleOptions {
  /** Leaves out what it gives false for; a directory with all that is under it. */
  filter?: ((entry: WorkerBundleEntry) => boolean) | undefined;
  /** Permission bits. Default 0o644. */
  fileMode?: ((path: string, bytes: Uint8Array) => number | undefined) | undefined;
  /** Says what state of the files this is; false for none. Default that of the source, else a digest where all files are there. */
  version?: string | false | undefined;
  maxBytes?: number | undefined;
  maxEntries?: number | undefined;
}

const options: z.ZodObject = z.strictObject({
  filter: functionOption().optional(),
  fileMode: functionOption().optional(),
  version: z.union([z.string().min(1), z.literal(false)]).optional(),
  maxBytes: z.int().positive().optional(),
  maxEntries: z.int().positive().optional(),
});

/**
 * Files of the Worker's own as a read-only mount. A path as source is filled in by the Vite plugin `computerBundle()`.
 *
 * @example
 * new Workspace({ storage: ctx.storage, mounts: { "/workspace/skills": WorkerBundle({ "a/SKILL.md": "# A" }) } });
 */
export function WorkerBundle(
  source: string | WorkerBundleTree | WorkerBundleSource,
  given: WorkerBundleOptions = {},
): EagerMount {
  checkOptions(options, given, "WorkerBundle");
  if (typeof source === "string") {
    throw new ComputerError(
      "EOPTION",
      `WorkerBundle(${JSON.stringify(source)}) was not filled in: add computerBundle() of @cloudflare/computer/vite to the plugins of the Vite config, or give an object of files.`,
    );
  }
  if (typeof source !== "object" || source === null) {
    throw new ComputerError("EOPTION", "WorkerBundle takes an object of files by their paths.");
  }
  return new BundleMount(isSource(source) ? source : { files: source }, given);
}

class BundleMount implements EagerMount {
  readonly strategy = "eager" as const;
  readonly kind = "worker-bundle";
  readonly mode = "read-only" as const;
  readonly maxBytes: number | undefined;
  readonly maxEntries: number | undefined;
  readonly version: string | (() => Promise<string>) | undefined;
  readonly #files: ReadonlyMap<string, WorkerBundleFile | (() => Promise<WorkerBundleFile>)>;
  readonly #options: WorkerBundleOptions;

  constructor(source: WorkerBundleSource, given: WorkerBundleOptions) {
    this.#options = given;
    this.maxBytes = given.maxBytes;
    this.maxEntries = given.maxEntries;
    this.#files = new Map(Object.entries(source.files).map(([path, file]) => [relative(path), file]));
    this.version = given.version === false ? undefined : (given.version ?? source.version ?? this.#digest());
  }

  async materialize(api: MountWriteAPI): Promise<void> {
    const { fileMode } = this.#options;
    for (const [path, file] of this.#files) {
      if (!this.#wanted(path)) continue;
      const given = typeof file === "function" ? await file() : file;
      const bytes = typeof given === "string" ? new TextEncoder().encode(given) : given;
      if (!(bytes instanceof Uint8Array)) {
        throw new FsError("EINVAL", { path, detail: "a file of a bundle is a string or a Uint8Array" });
      }
      await api.writeFile(`${api.root}/${path}`, new Blob([new Uint8Array(bytes)]).stream(), fileMode?.(path, bytes));
    }
  }

  #wanted(path: string): boolean {
    const { filter } = this.#options;
    if (filter === undefined) return true;
    const names = path.split("/");
    const above = names.slice(1).map((_, index) => names.slice(0, index + 1).join("/"));
    return above.every((dir) => filter({ path: dir, type: "dir" })) && filter({ path, type: "file" });
  }

  /** What is still to be loaded cannot be told apart from what it was. */
  #digest(): (() => Promise<string>) | undefined {
    if ([...this.#files.values()].some((file) => typeof file === "function")) return undefined;
    return async () => {
      const hash = createHash("sha256");
      for (const [path, file] of this.#files) {
        if (!this.#wanted(path) || typeof file === "function") continue;
        const bytes = typeof file === "string" ? new TextEncoder().encode(file) : file;
        hash.update(JSON.stringify([path, bytes.length, this.#options.fileMode?.(path, bytes) ?? null])).update(bytes);
      }
      return hash.digest("hex");
    };
  }
}

function isSource(source: WorkerBundleTree | WorkerBundleSource): source is WorkerBundleSource {
  const { files } = source;
  return typeof files === "object" && files !== null && !(files instanceof Uint8Array);
}

/** Without `./` or `/` at its beginning, as the keys of `import.meta.glob` have it. */
function relative(path: string): string {
  const plain = path.replace(/^(?:\.?\/)+/, "");
  if (!plain.split("/").some((name) => name === "" || name === "." || name === "..") && !plain.includes("\0")) {
    return plain;
  }
  throw new ComputerError(
    "EOPTION",
    `WorkerBundle cannot have a file at ${JSON.stringify(path)}: give relative paths.`,
  );
}

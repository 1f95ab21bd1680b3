/** The shared suite of the path API: every implementation of it, over whatever lies below, passes these tests. */

import { describe } from "vitest";
import { type FileSystemFeature, onFresh, type RunOnFileSystem } from "./file-system/context.ts";
import { testDirectories } from "./file-system/directories.ts";
import { testLinks } from "./file-system/links.ts";
import { testMoving } from "./file-system/moving.ts";
import { testPaths } from "./file-system/paths.ts";
import { testReading } from "./file-system/reading.ts";
import { testLargeStream, testUsage, testWriting } from "./file-system/writing.ts";

export type { FileSystemFeature, FileSystemLike, RunOnFileSystem } from "./file-system/context.ts";

export interface FileSystemSuiteOptions {
  /** What this implementation cannot do; tests that need it are left out. */
  readonly lacks?: readonly FileSystemFeature[];
  /** Bytes of the largest file, default 100 MiB. */
  readonly largest?: number;
}

/**
 * Registers the suite's tests. `run` makes an empty filesystem, runs a body on it and takes it down.
 *
 * @example
 * describeFileSystem("MemoryStore", async (body) => body(new FileSystem(new MemoryStore({ sha256 }))));
 */
export function describeFileSystem(name: string, run: RunOnFileSystem, options: FileSystemSuiteOptions = {}): void {
  const on = onFresh(run, options.lacks ?? []);
  describe(name, () => {
    describe("paths", () => testPaths(on));
    describe("reading", () => testReading(on));
    describe("writing", () => {
      testWriting(on);
      testUsage(on);
    });
    describe("directories", () => testDirectories(on));
    describe("links", () => testLinks(on));
    describe("removing and renaming", () => testMoving(on));
    describe("large files", () => testLargeStream(on, options.largest ?? 100 * 1024 * 1024));
  });
}

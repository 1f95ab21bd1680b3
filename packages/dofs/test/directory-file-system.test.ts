import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DirectoryFileSystem } from "../src/node/index.ts";
import { describeFileSystem } from "../src/testing/file-system-suite.ts";

process.umask(0);

describeFileSystem(
  "a directory of this machine, which the suite must agree with",
  async (body) => {
    const root = await mkdtemp(join(tmpdir(), "dofs-suite-"));
    try {
      await body(new DirectoryFileSystem(root));
    } finally {
      await rm(root, { recursive: true });
    }
  },
  { lacks: ["absolute links", "own paths", "whole writes", "snapshots", "search", "usage"], largest: 10 * 1024 * 1024 },
);

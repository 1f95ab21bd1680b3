/** A project is installed from archives of this machine, without any network, and the requests that takes are counted. */

import { mkdtempSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type KernelMount, kernelDriver } from "../src/fuse/kernel-driver.ts";
import { sh } from "./mounted.ts";

/** Of each package, what is in its archive. */
const DIRECTORIES = 2;
const FILES = 4;
/** Requests for a package, all that npm asks of the file system included. */
const BUDGET = 36;

/** Tests with a project of so many packages. */
export function describeNpmInstall(packages: number): void {
  let scratch: string;
  let mount: KernelMount;

  beforeAll(async () => {
    scratch = mkdtempSync(join(tmpdir(), "npm-test-"));
    mount = await kernelDriver.mount({ root: "/workspace", mountPoint: join(scratch, "mnt"), name: "computer-test" });
  });
  afterAll(async () => {
    await mount.close();
    await rm(scratch, { recursive: true });
  });

  /** Makes the archives on the disk, and a project in the mount that wants them all. */
  async function makeProject(): Promise<void> {
    const names = Array.from({ length: packages }, (_, number) => `part-${number}`);
    const archives = join(scratch, "archives");
    for (const [number, name] of names.entries()) {
      const root = join(archives, name, "package");
      await mkdir(join(root, "lib"), { recursive: true });
      await writeFile(join(root, "package.json"), JSON.stringify({ name, version: "1.0.0", main: "index.js" }));
      await writeFile(join(root, "index.js"), `module.exports = ${number} + require("./lib/one.js");\n`);
      await writeFile(join(root, "lib/one.js"), "module.exports = 1;\n");
      await writeFile(join(root, "README.md"), `# ${name}\n`.repeat(500));
    }
    await sh(archives, "for name in part-*; do tar -cf $name.tgz -C $name package; done");
    const dependencies = Object.fromEntries(names.map((name) => [name, `file:${scratch}/archives/${name}.tgz`]));
    await writeFile(join(scratch, "package.json"), JSON.stringify({ name: "project", version: "1.0.0", dependencies }));
  }

  test(`U-13 npm installs ${packages} packages within a budget of requests`, async () => {
    await makeProject();
    await sh(mount.mountPoint, `cp ${scratch}/package.json .`);
    const before = mount.requests();
    await sh(mount.mountPoint, `npm install --offline --no-audit --no-fund --cache ${scratch}/cache > /dev/null`);
    const { FORGET, BATCH_FORGET, ...after } = mount.requests();
    const asked = Object.fromEntries(
      Object.entries(after).map(([name, count]) => [name, count - (before[name as keyof typeof before] ?? 0)]),
    );
    const sum = `node -p 'Object.keys(require("./package.json").dependencies).reduce((all, name) => all + require(name), 0)'`;
    expect(await sh(mount.mountPoint, sum)).toBe(`${(packages * (packages - 1)) / 2 + packages}\n`);
    const total = Object.values(asked).reduce((all, count) => all + count, 0);
    expect(total).toBeLessThan(BUDGET * packages + 100);
    expect(asked.MKNOD).toBeGreaterThanOrEqual(packages * FILES);
    expect(asked.MKDIR).toBeGreaterThanOrEqual(packages * DIRECTORIES);
  });
}

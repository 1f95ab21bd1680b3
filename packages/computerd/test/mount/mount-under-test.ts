/** A mount, and the directory of it that a test has for itself. */

import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChangeEntry, Chunk } from "@cloudflare/dofs";
import { expect } from "vitest";
import type { FuseDriver, Mount, MountOptions } from "../../src/fuse/driver.ts";

/** What a driver is known not to do; each is a fact that a test asserts. */
export type Gap =
  /** Times have milliseconds only. */
  | "nanoseconds"
  /** `renameat2` takes no flags. */
  | "rename flags"
  | "extended attributes"
  /** Bytes in a name that are no UTF-8 are replaced. */
  | "names of any bytes"
  /** New files belong to the daemon's user, whoever made them. */
  | "owners"
  /** A file that is open is out of reach once its directory is removed. */
  | "files of removed directories"
  /** A time set alone, without the other one, is not kept. */
  | "single times"
  /** Room cannot be reserved, nor given back from within a file, nor holes found. */
  | "holes"
  /** A program that waits for contents cannot be ended before they come or are given up. */
  | "interrupts";

/** The directory of the store that is mounted. */
export const ROOT = "/workspace";

/** An entry before it has a revision. */
export type Unrevised = ChangeEntry extends infer Entry
  ? Entry extends ChangeEntry
    ? Omit<Entry, "rev">
    : never
  : never;

export class MountUnderTest {
  readonly driver: FuseDriver;
  /** A directory of this machine, removed at the end. */
  readonly scratch: string = mkdtempSync(join(tmpdir(), "mount-test-"));
  mount!: Mount;
  /** The directory of the mount for one test, and its path in the store. */
  dir = "";
  path = "";
  fetchAbsent: NonNullable<MountOptions["fetchAbsent"]> = async () => [];
  readonly #gaps: readonly Gap[];
  #count = 0;

  constructor(driver: FuseDriver, gaps: readonly Gap[]) {
    this.driver = driver;
    this.#gaps = gaps;
  }

  lacks(gap: Gap): boolean {
    return this.#gaps.includes(gap);
  }

  async open(): Promise<void> {
    this.mount = await this.driver.mount({
      root: ROOT,
      mountPoint: join(this.scratch, "mnt"),
      name: "computer-test",
      fetchAbsent: (hashes) => this.fetchAbsent(hashes),
    });
  }

  async nextDirectory(): Promise<void> {
    const name = `t${++this.#count}`;
    this.dir = join(this.mount.mountPoint, name);
    this.path = `${ROOT}/${name}`;
    await mkdir(this.dir);
  }

  async close(): Promise<void> {
    await this.mount.close();
    await rm(this.scratch, { recursive: true });
  }

  /** Changes files as sync does. */
  async apply(...entries: Unrevised[]): Promise<void> {
    const revised = entries.map((entry): ChangeEntry => ({ ...entry, rev: 1 }));
    const outcome = await this.mount.store.apply(revised, { peer: "host", allowAbsent: true });
    expect(outcome.refused).toEqual([]);
  }

  /** What sync would carry of the test's directory: the paths that are something, and those that are gone. */
  async carried(): Promise<{ there: string[]; gone: string[] }> {
    const { entries } = await this.mount.store.changes({ rev: 0, path: null }, { entries: 10_000, root: this.path });
    const of = (deleted: boolean): string[] =>
      entries
        .filter(({ kind }) => (kind === "delete") === deleted)
        .map((entry) => entry.path.slice(this.path.length + 1));
    return { there: of(false), gone: of(true) };
  }
}

/** A file of two chunks that its entry only names. */
export function remote(path: string): { bytes: Buffer; chunks: (Chunk & { hash: Buffer })[]; entry: Unrevised } {
  const bytes = randomBytes(300_000);
  const pieces = [bytes.subarray(0, 262_144), bytes.subarray(262_144)];
  const chunks = pieces.map((piece) => ({ hash: sha256(piece), bytes: new Uint8Array(piece) }));
  const named = chunks.map(({ hash, bytes: { length } }) => ({ hash, size: length }));
  return { bytes, chunks, entry: { kind: "file", path, mode: 0o644, mtime: 1000, size: bytes.length, chunks: named } };
}

export function sha256(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest();
}

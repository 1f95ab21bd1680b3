/** One call on a filesystem as plain data, and random sequences of them. */

import { Random } from "./random.ts";

export type Operation =
  | { op: "write"; path: string; size: number; salt: number; exclusive: boolean }
  | { op: "writeAt"; path: string; offset: number; size: number; salt: number }
  | { op: "truncate"; path: string; size: number }
  | { op: "read" | "readdir" | "stat" | "lstat" | "readlink" | "unlink" | "rmdir" | "mkdir" | "mkdirp"; path: string }
  | { op: "rm"; path: string; recursive: boolean; force: boolean }
  | { op: "rename" | "link"; path: string; to: string }
  | { op: "symlink"; path: string; target: string }
  | { op: "chmod"; path: string; mode: number }
  | { op: "utimes"; path: string; mtime: number };

const MANY_NAMES = ["a", "b", "c", "d", "é"];
const FEW_NAMES = ["a", "b", "c"];
const TARGETS = ["a", "b", "./c", "../a", "../b/c", "a/b", "d", "."];
const SIZES = [0, 1, 10, 10, 3000, 3000, 70_000, 262_144, 262_145, 300_000, 600_000];
const LONG_NAME = "x".repeat(256);

/** Operations weighted so that trees grow, are moved about and go again; the same seed gives the same. Every other one has few names. */
export function sequence(seed: number, length: number): Operation[] {
  const random = new Random(seed);
  const names = seed % 2 === 0 ? FEW_NAMES : MANY_NAMES;
  return Array.from({ length }, () => operation(random, names));
}

function operation(random: Random, names: readonly string[]): Operation {
  const path = somePath(random, names);
  const salt = random.below(3);
  const kind = random.below(100);
  if (kind < 16) return { op: "write", path, size: random.pick(SIZES), salt, exclusive: random.chance(0.15) };
  if (kind < 21) return { op: "writeAt", path, offset: random.pick(SIZES), size: random.pick(SIZES), salt };
  if (kind < 25) return { op: "truncate", path, size: random.pick(SIZES) };
  if (kind < 40) return { op: "mkdir", path: slashed(random, path) };
  if (kind < 47) return { op: "mkdirp", path };
  if (kind < 63) return { op: "rename", path: slashed(random, path), to: slashed(random, somePath(random, names)) };
  if (kind < 69) return { op: "link", path, to: somePath(random, names) };
  if (kind < 76) return { op: "symlink", path: slashed(random, path), target: random.pick(TARGETS) };
  if (kind < 80) return { op: "rm", path, recursive: random.chance(0.6), force: random.chance(0.3) };
  if (kind < 82) return { op: "unlink", path: slashed(random, path) };
  if (kind < 84) return { op: "rmdir", path: slashed(random, path) };
  if (kind < 87) return { op: "chmod", path, mode: random.pick([0o600, 0o644, 0o755, 0o777, 0]) };
  if (kind < 89) return { op: "utimes", path, mtime: 1_600_000_000_000 + random.below(1_000_000) * 1000 };
  const looked = random.chance(0.02) ? `${path}/${LONG_NAME}` : slashed(random, path);
  return { op: random.pick(["read", "readdir", "stat", "lstat", "readlink"]), path: looked };
}

function somePath(random: Random, names: readonly string[]): string {
  const depth = 1 + random.below(random.chance(0.3) ? 4 : 2);
  return `/${Array.from({ length: depth }, () => random.pick(names)).join("/")}`;
}

function slashed(random: Random, path: string): string {
  return random.chance(0.03) ? `${path}/` : path;
}

const contents = new Map<string, Uint8Array>();

/** Contents that the salt decides, the same array each time; files of one salt share their chunks. */
export function content(size: number, salt: number): Uint8Array {
  const key = `${size} ${salt}`;
  let bytes = contents.get(key);
  if (bytes === undefined) {
    bytes = new Uint8Array(size);
    for (let i = 0; i < size; i += 97) bytes[i] = (i * (salt + 1)) ^ (i >> 9);
    contents.set(key, bytes);
  }
  return bytes;
}

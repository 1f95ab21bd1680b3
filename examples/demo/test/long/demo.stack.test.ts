/** `npm run demo` as a newcomer runs it: what it says, and what it leaves under `out`. */

import { execFileSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..", "..", "..");
const OUT = join(ROOT, "out");

test("npm run demo makes a PDF, an image and a published Worker, and tells how long each part took", () => {
  for (const made of ["computer.pdf", "image.png", "site"]) rmSync(join(OUT, made), { recursive: true, force: true });
  const said = execFileSync("npm", ["run", "demo"], { cwd: ROOT, encoding: "utf8" });
  expect(said).toContain("A script plays the model's part");
  expect(said).toContain("Drawn by the Worker itself, without a model");
  for (const part of [
    "an agent makes a PDF",
    "make an image",
    "fetch it by its signed link",
    "an agent builds and publishes a Worker",
    "clone it with git",
    "run the clone and ask it",
    "together",
  ]) {
    expect(said).toMatch(new RegExp(`^ +\\d+\\.\\d\\d s {2}${part}$`, "m"));
  }
  expect(readFileSync(join(OUT, "computer.pdf")).subarray(0, 5).toString()).toBe("%PDF-");
  expect(readFileSync(join(OUT, "image.png")).subarray(1, 4).toString()).toBe("PNG");
  expect(said).toContain("The Worker: out/site, which answers /1994 with MCMXCIV");
  expect(execFileSync("git", ["-C", join(OUT, "site"), "status", "--short"], { encoding: "utf8" })).toBe("");
}, 900_000);

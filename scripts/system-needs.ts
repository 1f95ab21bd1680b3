/** What the machine must have for mounts and sandboxes, and what of it is not there. */

import { execFileSync } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./checkout.ts";

const PATH = `${process.env.PATH}:/usr/sbin:/sbin`;

/** What is missing, each in one sentence that says how to get it; empty when all is there. What only tests need counts where asked for. */
export function missingNeeds({ forTests = false }: { readonly forTests?: boolean } = {}): string[] {
  const needs = listedNeeds().filter(({ purpose }) => forTests || !purpose.startsWith("the tests"));
  const missing = needs.flatMap(({ probe, packages, purpose }) =>
    present(probe) ? [] : [`${probe} is missing (for ${purpose}); Debian: apt-get install ${packages.join(" or ")}`],
  );
  return [...missing, ...fuseDevice(), ...(present("bwrap") ? sandbox() : [])];
}

interface Need {
  /** A command's name, or `lib:` and a shared library's name. */
  readonly probe: string;
  readonly packages: readonly string[];
  readonly purpose: string;
}

function listedNeeds(): Need[] {
  return readFileSync(join(ROOT, "scripts", "system-needs.txt"), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const [probe = "", packages = "", ...purpose] = line.split(/\s+/);
      return { probe, packages: packages.split("|"), purpose: purpose.join(" ") };
    });
}

function present(probe: string): boolean {
  if (!probe.startsWith("lib:")) return PATH.split(":").some((folder) => existsSync(join(folder, probe)));
  try {
    const libraries = execFileSync("ldconfig", ["-p"], { env: { PATH }, encoding: "utf8" });
    return libraries.includes(`${probe.slice("lib:".length)} `);
  } catch {
    return false;
  }
}

function fuseDevice(): string[] {
  try {
    closeSync(openSync("/dev/fuse", "r+"));
    return [];
  } catch (error) {
    return [
      `/dev/fuse cannot be opened (${reason(error)}); in a container, start it with the device: --device /dev/fuse`,
    ];
  }
}

function sandbox(): string[] {
  try {
    execFileSync("bwrap", ["--ro-bind", "/", "/", "--unshare-pid", "true"], { env: { PATH }, stdio: "pipe" });
    return [];
  } catch (error) {
    return [`bubblewrap cannot make a sandbox here (${reason(error)}); it needs namespaces, which this system denies`];
  }
}

function reason(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).trim().replaceAll("\n", " ");
}

/** The directory on the machine where files are shown: made ready, and given back. */

import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access, mkdir, open, readdir, readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { ComputerError } from "@cloudflare/computer-rpc";

const run = promisify(execFile);
const DEVICE = "/dev/fuse";
const PATIENCE_MS = 3000;

/** Refuses a machine on which nothing can be mounted; `EUNAVAILABLE` with what is missing. */
export async function requireFuseDevice(): Promise<void> {
  try {
    await access(DEVICE, constants.R_OK | constants.W_OK);
    await (await open(DEVICE, "r+")).close();
  } catch (cause) {
    const reason = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
    throw new ComputerError(
      "EUNAVAILABLE",
      `FUSE_MOUNT=fuse needs ${DEVICE}, which cannot be opened (${reason}). On a machine of your own load it with ` +
        "'modprobe fuse'; give a Docker container '--device /dev/fuse --cap-add SYS_ADMIN'.",
      { cause },
    );
  }
}

/** Makes the directory for large contents where it is missing; `EUNAVAILABLE` where nothing can be kept there. */
export async function prepareContentsDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
    await access(path, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new ComputerError(
      "EUNAVAILABLE",
      `Large contents cannot be kept in ${path}. Set TMPDIR to a directory on a local disk that can be written.`,
      { cause },
    );
  }
}

/** Makes the directory where it is missing, clears away a mount whose daemon has died, and gives the path without links. */
export async function prepareMountPoint(path: string): Promise<string> {
  await clearDeadMount(path);
  let mountPoint: string;
  let names: string[];
  try {
    await mkdir(path, { recursive: true });
    mountPoint = await realpath(path);
    names = await readdir(mountPoint);
  } catch (cause) {
    throw new ComputerError("EUNAVAILABLE", `The mount point ${path} cannot be made.`, { cause });
  }
  if (await isFuseMount(mountPoint)) {
    throw new ComputerError(
      "EUNAVAILABLE",
      `Another daemon is mounted at ${mountPoint}. Stop it, or set MOUNT_POINT to another directory.`,
    );
  }
  if (names.length > 0) {
    throw new ComputerError(
      "EUNAVAILABLE",
      `The mount point ${mountPoint} is not empty (it has '${names[0]}'), and a mount would hide what is in it. Empty it, or set ` +
        "MOUNT_POINT to another directory.",
    );
  }
  return mountPoint;
}

/** Unmounts lazily: what still uses the mount keeps it until it is done. Does nothing where nothing is mounted. */
export async function unmount(mountPoint: string): Promise<void> {
  if (await isFuseMount(mountPoint)) await detach(mountPoint, "-l");
}

/** Unmounts and ends the requests that are under way: whoever still uses the mount gets errors. */
export async function forceUnmount(mountPoint: string): Promise<void> {
  if (await isFuseMount(mountPoint)) await detach(mountPoint, "-fl");
}

async function clearDeadMount(path: string): Promise<void> {
  const parent = await realpath(dirname(path)).catch(() => undefined);
  if (parent === undefined) return;
  // Found without a look at the place itself, at which a dead mount may hang.
  const mountPoint = join(parent, basename(path));
  if (!(await isFuseMount(mountPoint)) || (await answers(mountPoint))) return;
  // Forced, which also ends the requests that hang.
  await detach(mountPoint, "-fl");
}

async function detach(mountPoint: string, flags: string): Promise<void> {
  const ways: [string, string[]][] = [
    ["umount", [flags, mountPoint]],
    ["fusermount3", ["-uz", mountPoint]],
    ["fusermount", ["-uz", mountPoint]],
  ];
  const failures: unknown[] = [];
  for (const [command, args] of ways) {
    try {
      await run(command, args);
      return;
    } catch (error) {
      failures.push(error);
    }
  }
  const cause = new AggregateError(failures);
  throw new ComputerError("EUNAVAILABLE", `${mountPoint} could not be unmounted; 'umount -l' needs root.`, { cause });
}

async function isFuseMount(mountPoint: string): Promise<boolean> {
  const mounts = await readFile("/proc/self/mounts", "utf8").catch(() => "");
  return mounts.split("\n").some((line) => {
    const [, place, type] = line.split(" ");
    // The kernel writes blanks and the like in octal.
    const path = place?.replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
    return path === mountPoint && type?.startsWith("fuse") === true;
  });
}

/** Whether somebody serves the mount; one that has not answered after a while is taken for dead. */
async function answers(mountPoint: string): Promise<boolean> {
  const patience = new AbortController();
  const alive = stat(mountPoint).then(
    () => true,
    (error: unknown) => !(error instanceof Error && "code" in error && error.code === "ENOTCONN"),
  );
  const answer = await Promise.race([alive, sleep(PATIENCE_MS, false, { signal: patience.signal })]);
  patience.abort();
  return answer;
}

/** The host's own directory: one host at a time, a private place for each computer, and no remains of a host that was killed. */

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { lstat, mkdir, readdir, rm, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { HostError } from "./host-error.ts";
import { mountsUnder, startOf } from "./process-table.ts";

const HOST_FILE = "host.pid";
const DAEMON_FILE = "daemon.pid";
const COMPUTER = /^[0-9a-f]{16}$/;

/** The places of one computer. */
export interface ComputerDirectory {
  readonly path: string;
  readonly socket: string;
  readonly mountPoint: string;
  /** Holds the daemon's secret until it has read it. */
  readonly secretFile: string;
  /** For the daemon's temporary files. */
  readonly scratch: string;
}

export class StateDirectory {
  readonly #path: string;

  private constructor(path: string) {
    this.#path = path;
  }

  /**
   * Takes a directory for this host, and ends and removes what a host that was killed left in it.
   * @throws HostError EOPTION where another host or another user has it.
   */
  static async open(path: string): Promise<StateDirectory> {
    await mkdir(path, { recursive: true, mode: 0o700 });
    const { uid, mode } = await lstat(path);
    if (uid !== process.getuid?.() || (mode & 0o077) !== 0) {
      throw new HostError(
        "EOPTION",
        `--state ${path} must belong to this user and be closed to all others (chmod 700)`,
      );
    }
    await takeHostFile(path);
    const directory = new StateDirectory(path);
    const remains = (await readdir(path)).filter((name) => COMPUTER.test(name));
    await Promise.all(remains.map((name) => directory.#removeRemains(join(path, name))));
    return directory;
  }

  /** Makes the places of a computer. The name is a digest, since an id may be longer than the path of a socket. */
  async create(id: string): Promise<ComputerDirectory> {
    const path = join(this.#path, createHash("sha256").update(id).digest("hex").slice(0, 16));
    await mkdir(path, { mode: 0o700 });
    const places = {
      path,
      socket: join(path, "daemon.sock"),
      mountPoint: join(path, "mount"),
      secretFile: join(path, "secret"),
      scratch: join(path, "tmp"),
    };
    await mkdir(places.mountPoint);
    await mkdir(places.scratch);
    return places;
  }

  /** Remembers a computer's daemon, for the host that may have to end it. */
  async recordDaemon(directory: ComputerDirectory, pid: number): Promise<void> {
    await writeFile(join(directory.path, DAEMON_FILE), processRecord(pid));
  }

  /**
   * Unmounts what is mounted in a computer's directory, and removes it.
   * @throws HostError ECLEANUP where something there cannot be unmounted; then nothing is removed.
   */
  async remove({ path }: Pick<ComputerDirectory, "path">): Promise<void> {
    for (const mount of mountsUnder(path)) {
      await promisify(execFile)("umount", ["--lazy", mount]).catch(() => {});
    }
    const [left] = mountsUnder(path);
    if (left !== undefined)
      throw new HostError("ECLEANUP", `cannot unmount ${left}: umount it, then start the host anew`);
    await rm(path, { recursive: true, force: true });
  }

  /** Gives the directory back, and removes it where nothing of anyone is left in it. */
  async close(): Promise<void> {
    await rm(join(this.#path, HOST_FILE), { force: true });
    await rmdir(this.#path).catch(() => {});
  }

  async #removeRemains(path: string): Promise<void> {
    const file = join(path, DAEMON_FILE);
    for (let waits = 0, pid = livingProcess(file); pid !== undefined; pid = livingProcess(file), waits++) {
      // It was told to end when its host died; it has a moment to do that well.
      if (waits === 20) process.kill(pid, "SIGKILL");
      await sleep(100);
    }
    await this.remove({ path });
  }
}

/** Makes the file that says whose the directory is, in place of one that a host which was killed left. */
async function takeHostFile(directory: string): Promise<void> {
  const file = join(directory, HOST_FILE);
  const record = processRecord(process.pid);
  const isNew = (): Promise<boolean> =>
    writeFile(file, record, { flag: "wx" }).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code !== "EEXIST") throw error;
        return false;
      },
    );
  if (await isNew()) return;
  const other = livingProcess(file);
  if (other !== undefined && other !== process.pid) throw taken(directory, `the host with process id ${other}`);
  await rm(file, { force: true });
  if (!(await isNew())) throw taken(directory, "another host that starts just now");
}

function taken(directory: string, who: string): HostError {
  return new HostError("EOPTION", `${who} uses ${directory}: stop it, or name another --state`);
}

function processRecord(pid: number): string {
  return `${pid} ${startOf(pid)}\n`;
}

/** The id in a file that {@link processRecord} wrote, where that very process still runs. */
function livingProcess(file: string): number | undefined {
  try {
    const [pid, start] = readFileSync(file, "utf8").trim().split(" ");
    return start !== undefined && startOf(Number(pid)) === start ? Number(pid) : undefined;
  } catch {
    return undefined;
  }
}

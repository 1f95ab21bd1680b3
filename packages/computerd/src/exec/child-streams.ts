/** The standard streams of children, as files they can open again by name. */

import { execFileSync } from "node:child_process";
import { constants, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants;
const BATCH = 32;

/** One pipe: the file that a child is given, and this process's end as a stream. */
export interface Pipe {
  readonly theirs: number;
  readonly ours: Socket;
}

/**
 * Makes standard streams for children.
 *
 * What Node itself gives a child are sockets, and those cannot be opened again: `echo > /dev/stderr` and `cat /dev/stdin` would fail
 * in every command. So output goes through fifos, of which a batch is made at a time, since Node can make none itself; and input comes
 * out of a file, since opening a fifo whose writer is through would wait for ever.
 */
export class ChildStreams {
  #dir: string | undefined;
  #fifos: string[] = [];
  #made = 0;

  /** An open file with these bytes, closed by the caller. */
  input(bytes: Uint8Array = new Uint8Array(0)): number {
    if (bytes.length === 0) return openSync("/dev/null", O_RDONLY);
    const path = join(this.#folder(), String(this.#made++));
    writeFileSync(path, bytes, { mode: 0o600 });
    const file = openSync(path, O_RDONLY);
    rmSync(path);
    return file;
  }

  /** A pipe that a child writes. */
  output(): Pipe {
    const fifo = this.#next();
    const ours = openSync(fifo, O_RDONLY | O_NONBLOCK);
    const theirs = openSync(fifo, O_WRONLY);
    rmSync(fifo);
    return { theirs, ours: new Socket({ fd: ours, readable: true, writable: false }) };
  }

  close(): void {
    if (this.#dir !== undefined) rmSync(this.#dir, { recursive: true, force: true });
    this.#dir = undefined;
    this.#fifos = [];
  }

  #next(): string {
    const fifo = this.#fifos.pop();
    if (fifo !== undefined) return fifo;
    const dir = this.#folder();
    this.#fifos = Array.from({ length: BATCH }, () => join(dir, String(this.#made++)));
    execFileSync("mkfifo", ["-m", "600", ...this.#fifos], { cwd: "/" });
    return this.#next();
  }

  #folder(): string {
    this.#dir ??= mkdtempSync(join(tmpdir(), "computerd-streams-"));
    return this.#dir;
  }
}

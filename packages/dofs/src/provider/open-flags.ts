/** How a file is opened: Node's flag strings and POSIX's numbers. */

import { FsError } from "../fs-error.ts";

export interface OpenFlags {
  readonly read: boolean;
  readonly write: boolean;
  /** Every write goes to the end. */
  readonly append: boolean;
  /** Make a file where none is. */
  readonly create: boolean;
  /** With `create`: `EEXIST` where anything is. */
  readonly exclusive: boolean;
  /** Empty a file that is there. */
  readonly truncate: boolean;
  /** `ENOTDIR` for anything but a directory. */
  readonly directory: boolean;
  /** `ELOOP` where the path itself is a link. */
  readonly noFollow: boolean;
}

const O_WRONLY = 0o1;
const O_RDWR = 0o2;
const O_CREAT = 0o100;
const O_EXCL = 0o200;
const O_TRUNC = 0o1000;
const O_APPEND = 0o2000;
const O_DIRECTORY = 0o200000;
const O_NOFOLLOW = 0o400000;

/** Node's strings, without the `s` for synchronous writing, which every write is. */
const NAMED: Record<string, number> = {
  r: 0,
  "r+": O_RDWR,
  w: O_WRONLY | O_CREAT | O_TRUNC,
  "w+": O_RDWR | O_CREAT | O_TRUNC,
  wx: O_WRONLY | O_CREAT | O_TRUNC | O_EXCL,
  "wx+": O_RDWR | O_CREAT | O_TRUNC | O_EXCL,
  a: O_WRONLY | O_CREAT | O_APPEND,
  "a+": O_RDWR | O_CREAT | O_APPEND,
  ax: O_WRONLY | O_CREAT | O_APPEND | O_EXCL,
  "ax+": O_RDWR | O_CREAT | O_APPEND | O_EXCL,
};

const OTHER_SPELLINGS: Record<string, string> = {
  rs: "r",
  sr: "r",
  "rs+": "r+",
  "sr+": "r+",
  xw: "wx",
  "xw+": "wx+",
  as: "a",
  sa: "a",
  "as+": "a+",
  "sa+": "a+",
  xa: "ax",
  "xa+": "ax+",
};

/** Reads flags; `EINVAL` for a string that Node does not know. */
export function parseFlags(flags: string | number): OpenFlags {
  const bits = typeof flags === "number" ? flags : NAMED[OTHER_SPELLINGS[flags] ?? flags];
  if (bits === undefined) {
    throw new FsError("EINVAL", {
      detail: `unknown flags ${JSON.stringify(flags)}: use ${Object.keys(NAMED).join(", ")}`,
    });
  }
  const write = (bits & (O_WRONLY | O_RDWR)) !== 0;
  return {
    read: (bits & O_WRONLY) === 0,
    write,
    append: (bits & O_APPEND) !== 0,
    create: (bits & O_CREAT) !== 0,
    exclusive: (bits & O_CREAT) !== 0 && (bits & O_EXCL) !== 0,
    truncate: (bits & O_TRUNC) !== 0,
    directory: (bits & O_DIRECTORY) !== 0,
    noFollow: (bits & O_NOFOLLOW) !== 0,
  };
}

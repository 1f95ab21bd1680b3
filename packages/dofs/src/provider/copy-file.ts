/** `copyFile`: a file's contents under another name. */

import { attempt, resolve } from "../filesystem/resolve.ts";
import { FsError } from "../fs-error.ts";
import type { BufferedFiles } from "./buffered-files.ts";

const COPYFILE_EXCL = 1;
/** Together with those that ask for a copy on write, which every copy is here: equal chunks are kept once. */
const KNOWN_MODES = COPYFILE_EXCL | 2 | 4;

/** Copies through links; a new file gets the mode too. `EEXIST` with bit 1 of `mode` where anything is; `EISDIR`, `ENOENT`. */
export function copyFile(files: BufferedFiles, src: string, dest: string, mode: number): void {
  attempt({ syscall: "copyfile", path: src, dest }, () => {
    if ((mode & ~KNOWN_MODES) !== 0) throw new FsError("EINVAL", { detail: `unknown copy mode ${mode}` });
    const from = files.file(src);
    const exclusive = (mode & COPYFILE_EXCL) !== 0;
    const { attr, parent, name, slash } = resolve(files.store, dest, { follow: !exclusive });
    if (attr !== undefined && exclusive) throw new FsError("EEXIST");
    if (slash || attr?.kind === "dir") throw new FsError("EISDIR");
    if (attr?.ino === from) return;
    if (attr === undefined) {
      files.store.create(parent, name, { kind: "file", mode: files.attr(from).mode, content: files.content(from) });
    } else if (files.isBuffered(attr.ino)) files.replace(attr.ino, files.read(from, 0, files.attr(from).size));
    else files.store.replace(attr.ino, files.content(from));
  });
}

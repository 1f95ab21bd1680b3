/** Files by path, as libfuse 2 asks for them, over a store that knows inodes. */

import { constants } from "node:fs";
import { type Attr, type Dirent, FsError, type Ino, type InodeStore } from "@cloudflare/dofs";
import { contentsFetcher } from "./absent-contents.ts";
import type { MountOptions } from "./driver.ts";
import { negativeErrno } from "./errno.ts";
import { kindOf } from "./file-mode.ts";
import type { FuseOperations } from "./fuse-native.ts";
import { statFsOf, statOf } from "./fuse-stat.ts";
import { OpenFiles } from "./open-files.ts";

const PAGE = 512;
const UNCHANGED = 0xffffffff;
// libfuse renames a file that is removed while it is open to a name like this, and removes that name at the last close.
const HIDDEN = /^\.fuse_hidden[0-9a-f]{16}$/;

type Done<T extends unknown[]> = (status: number, ...values: T) => void;

interface Place {
  readonly parent: Ino;
  readonly name: string;
}

/** Makes the operations that show a directory of a store. */
export function pathOperations(store: InodeStore, root: Ino, fetchAbsent: MountOptions["fetchAbsent"]): FuseOperations {
  const files = new OpenFiles(store);
  /** Files that have lost their name and not yet their last user, by the name that libfuse thinks they have. */
  const hidden = new Map<string, Ino>();

  const find = (path: string): Attr => {
    const unnamed = hidden.get(path.slice(path.lastIndexOf("/") + 1));
    if (unnamed !== undefined) return store.getattr(unnamed);
    let ino = root;
    for (const name of path.split("/")) {
      if (name === "") continue;
      const child = store.lookup(ino, name);
      if (child === undefined) throw new FsError("ENOENT");
      ino = child.ino;
    }
    return store.getattr(ino);
  };
  const place = (path: string): Place => {
    const cut = path.lastIndexOf("/");
    return { parent: find(path.slice(0, cut)).ino, name: path.slice(cut + 1) };
  };

  const withContents = contentsFetcher(store, fetchAbsent);

  const truncate = (ino: Ino, size: number, done: Done<[]>): void => {
    const { size: before } = store.getattr(ino);
    // The chunk that is cut or made longer has to be here; asking for a byte of it says whether it is.
    const last = Math.min(size, before) - 1;
    const need = last >= 0 && size !== before ? () => store.read(ino, last, 1) : () => undefined;
    // Emptying what is empty changes it, as make and others understand a file's time.
    const change = size === before ? { mtime: Date.now() } : { size };
    withContents(need, () => answer(done, () => void store.setattr(ino, change)), done);
  };

  /** Takes a file's name away where libfuse only renames it, so that nobody else sees the other name. */
  const hide = ({ parent, name }: Place, ino: Ino, newName: string): void => {
    store.hold(ino);
    hidden.set(newName, ino);
    store.unlink(parent, name);
  };

  const make = (path: string, mode: number, rdev = 0): Attr => {
    const { parent, name } = place(path);
    return store.create(parent, name, { kind: kindOf(mode), mode: mode & 0o7777, rdev, ...owner() });
  };

  return {
    getattr: (path, done) => answer(done, () => statOf(find(path))),
    statfs: (_path, done) => answer(done, () => statFsOf(store.statfs())),
    readlink: (path, done) => answer(done, () => store.readlink(find(path).ino)),
    readdir: (path, done) => {
      try {
        const directory = find(path).ino;
        const entries = list(store, directory);
        const up = directory === root ? directory : store.parent(directory);
        const names = [".", "..", ...entries.map(({ name }) => name)];
        const attrs = [store.getattr(directory), store.getattr(up), ...entries.map(({ attr }) => attr)];
        done(0, names, attrs.map(statOf));
      } catch (error) {
        done(negativeErrno(error));
      }
    },

    open: (path, _flags, done) => answer(done, () => files.open(find(path).ino)),
    create: (path, mode, done) =>
      answer(done, () => {
        const { parent, name } = place(path);
        // The kernel has looked and found nothing, but a change from outside may have come in between.
        return files.open((store.lookup(parent, name) ?? make(path, (mode & 0o7777) | constants.S_IFREG)).ino);
      }),
    release: (_path, fd, done) => answer(done, () => files.close(fd)),
    read: (_path, fd, buffer, length, position, done) => {
      const fill = (bytes: Uint8Array): void => {
        buffer.set(bytes);
        done(bytes.length);
      };
      withContents(() => store.read(files.ino(fd), position, length), fill, done);
    },
    write: (_path, fd, buffer, length, position, done) => {
      withContents(
        () => store.write(files.ino(fd), position, buffer.subarray(0, length)),
        () => done(length),
        done,
      );
    },
    truncate: (path, size, done) => orFail(done, () => truncate(find(path).ino, size, done)),
    ftruncate: (_path, fd, size, done) => orFail(done, () => truncate(files.ino(fd), size, done)),

    mknod: (path, mode, rdev, done) => answer(done, () => void make(path, mode, rdev)),
    mkdir: (path, mode, done) => answer(done, () => void make(path, (mode & 0o7777) | constants.S_IFDIR)),
    symlink: (target, path, done) =>
      answer(done, () => {
        const { parent, name } = place(path);
        store.create(parent, name, { kind: "symlink", mode: 0o777, target, ...owner() });
      }),
    link: (from, to, done) =>
      answer(done, () => {
        const { parent, name } = place(to);
        store.link(find(from).ino, parent, name);
      }),
    unlink: (path, done) =>
      answer(done, () => {
        const name = path.slice(path.lastIndexOf("/") + 1);
        const unnamed = hidden.get(name);
        if (unnamed === undefined) {
          const from = place(path);
          store.unlink(from.parent, from.name);
        } else {
          hidden.delete(name);
          store.release(unnamed);
        }
      }),
    rmdir: (path, done) =>
      answer(done, () => {
        const { parent, name } = place(path);
        store.rmdir(parent, name);
      }),
    rename: (from, to, done) =>
      answer(done, () => {
        const source = place(from);
        const target = place(to);
        const moved = find(from);
        if (HIDDEN.test(target.name) && files.isOpen(moved.ino)) hide(source, moved.ino, target.name);
        else store.rename(source.parent, source.name, target.parent, target.name);
      }),

    chmod: (path, mode, done) => answer(done, () => void store.setattr(find(path).ino, { mode: mode & 0o7777 })),
    chown: (path, uid, gid, done) =>
      answer(done, () => {
        const change = { ...(uid !== UNCHANGED && { uid }), ...(gid !== UNCHANGED && { gid }) };
        store.setattr(find(path).ino, change);
      }),
    utimens: (path, atime, mtime, done) => answer(done, () => void store.setattr(find(path).ino, { atime, mtime })),
  };
}

function answer<T>(done: (status: number, value?: T) => void, action: () => T): void {
  let status = 0;
  let value: T | undefined;
  try {
    value = action();
  } catch (error) {
    status = negativeErrno(error);
  }
  done(status, value);
}

function orFail(done: Done<[]>, action: () => void): void {
  try {
    action();
  } catch (error) {
    done(negativeErrno(error));
  }
}

function list(store: InodeStore, directory: Ino): Dirent[] {
  const entries: Dirent[] = [];
  for (;;) {
    const page = store.readdir(directory, entries.at(-1)?.name, PAGE);
    entries.push(...page);
    if (page.length < PAGE) return entries;
  }
}

/** libfuse 2 through fuse-native does not say who asks; everything new belongs to the daemon's own user. */
function owner(): { uid: number; gid: number } {
  return { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
}

/** The files that are open at a mount. */

import { FsError, type Ino, type InodeStore } from "@cloudflare/dofs";

/** Open files by the numbers libfuse knows them by. Each holds its inode. */
export class OpenFiles {
  readonly #store: InodeStore;
  readonly #inos = new Map<number, Ino>();
  readonly #users = new Map<Ino, number>();
  #last = 0;

  constructor(store: InodeStore) {
    this.#store = store;
  }

  open(ino: Ino): number {
    this.#store.hold(ino);
    this.#users.set(ino, (this.#users.get(ino) ?? 0) + 1);
    do this.#last = (this.#last % 0x7fffffff) + 1;
    while (this.#inos.has(this.#last));
    this.#inos.set(this.#last, ino);
    return this.#last;
  }

  ino(fd: number): Ino {
    const ino = this.#inos.get(fd);
    if (ino === undefined) throw new FsError("EBADF");
    return ino;
  }

  isOpen(ino: Ino): boolean {
    return this.#users.has(ino);
  }

  close(fd: number): void {
    const ino = this.ino(fd);
    this.#inos.delete(fd);
    const left = (this.#users.get(ino) ?? 1) - 1;
    if (left === 0) this.#users.delete(ino);
    else this.#users.set(ino, left);
    this.#store.release(ino);
  }
}

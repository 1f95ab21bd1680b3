/** Extended attributes in memory: they belong to one computer, and sync does not carry them. */

import type { Ino } from "../inode-store.ts";

/** Attributes of inodes by name. An inode without any takes no room. */
export class MemoryXattrs {
  readonly #byIno = new Map<Ino, Map<string, Uint8Array>>();

  get(ino: Ino, name: string): Uint8Array | undefined {
    return this.#byIno.get(ino)?.get(name);
  }

  names(ino: Ino): string[] {
    return [...(this.#byIno.get(ino)?.keys() ?? [])];
  }

  /** Sets an attribute, or takes it away where there is no value. */
  set(ino: Ino, name: string, value: Uint8Array | undefined): void {
    const attributes = this.#byIno.get(ino) ?? new Map<string, Uint8Array>();
    if (value === undefined) attributes.delete(name);
    // A Buffer's own slice is no copy.
    else attributes.set(name, Uint8Array.from(value));
    if (attributes.size === 0) this.#byIno.delete(ino);
    else this.#byIno.set(ino, attributes);
  }

  drop(ino: Ino): void {
    this.#byIno.delete(ino);
  }
}

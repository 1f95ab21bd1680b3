/** A pack of objects, piece by piece, as it is sent. */

import { sha1 } from "../objects/object-id.ts";
import type { ObjectStore } from "../objects/object-store.ts";
import { packEntry, packHeader } from "../objects/pack-writer.ts";

export function* packPieces(objects: ObjectStore, oids: readonly string[]): Generator<Uint8Array> {
  const hash = sha1();
  const header = packHeader(oids.length);
  hash.update(header);
  yield header;
  for (const oid of oids) {
    const entry = packEntry(objects.read(oid));
    hash.update(entry);
    yield entry;
  }
  yield hash.digest();
}

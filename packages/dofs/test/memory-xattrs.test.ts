import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { MemoryStore, ROOT_INO } from "../src/index.ts";

test("an attribute stays what it is when the memory it came from is used for something else", () => {
  const store = new MemoryStore({ sha256: (bytes) => createHash("sha256").update(bytes).digest(), now: () => 0 });
  const request = Buffer.from("....value....");
  store.setXattr(ROOT_INO, "user.a", request.subarray(4, 9));
  request.fill("x");
  expect(Buffer.from(store.xattr(ROOT_INO, "user.a") ?? []).toString()).toBe("value");
});

/** Lists of repositories that the service gives in pages. */

import { expect, test } from "vitest";
import { createArtifact } from "../../src/artifacts/index.ts";

const MADE = { description: null, defaultBranch: "main", createdAt: "", updatedAt: "", lastPushAt: null, source: null };

/** A namespace that is only listed: so many repositories, every third one the session's. */
function namespace(count: number): { binding: Artifacts; asked: object[] } {
  const asked: object[] = [];
  const all = Array.from({ length: count }, (_, index) => ({
    ...MADE,
    id: String(index),
    name: `${index % 3 === 0 ? "alice" : "Alice"}__r${index}`,
    readOnly: false,
  }));
  const refused = (): never => {
    throw new Error("it is only listed");
  };
  const list: Artifacts["list"] = async ({ limit = 50, cursor = "0" } = {}) => {
    asked.push({ limit, cursor });
    const end = Number(cursor) + limit;
    const repos = all.slice(Number(cursor), end);
    return { repos, total: count, ...(end < count ? { cursor: String(end) } : {}) };
  };
  return { binding: { list, create: refused, get: refused, import: refused, delete: refused }, asked };
}

test("a list is followed to its end, and what is another session's is left out", async () => {
  const { binding, asked } = namespace(450);
  const own = await createArtifact(binding, "alice").list();
  expect(own).toHaveLength(150);
  expect([own[0]?.name, own.at(-1)?.name]).toEqual(["r0", "r447"]);
  expect(asked).toEqual([
    { limit: 200, cursor: "0" },
    { limit: 200, cursor: "200" },
    { limit: 200, cursor: "400" },
  ]);
  expect(await createArtifact(binding).list()).toHaveLength(450);
});

test("a session's id is checked when the client is made", () => {
  const { binding } = namespace(0);
  expect(() => createArtifact(binding, "")).toThrow('INVALID_SESSION_ID: "" cannot name a session: it is empty');
  expect(() => createArtifact(binding, "a__b")).toThrow("INVALID_SESSION_ID");
  expect(createArtifact(binding, null).sessionId).toBeUndefined();
  expect(createArtifact(binding, "a_b.c-D").sessionId).toBe("a_b.c-D");
});

import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { getWorkspace } from "../src/index.ts";
import { LiveTargets } from "../src/stubs/live-targets.ts";
import { soak, soakSession } from "./leak-soak.ts";

describe("what other isolates hold on to", () => {
  test("500 runs and clients leave the count as it was", async () => {
    await soak(500);
  });

  test("R-03 5,000 small calls and 50 MiB over one session leave the count as it was", async () => {
    await soakSession(5000, 50);
  });

  test("a client that is not disposed counts, until it is", async () => {
    const stub = env.WORKSPACE.get(env.WORKSPACE.newUniqueId());
    const before = await stub.liveTargets();
    const client = getWorkspace(stub);
    await client.fs.exists("/");
    const handle = await client.runtime.exec("hang");
    expect(await stub.liveTargets()).toBe(before + 2);
    handle[Symbol.dispose]();
    client[Symbol.dispose]();
    await expect.poll(() => stub.liveTargets()).toBe(before);
  });

  test("R-02 one target served to three sessions serves each until it closes, and then the two made since are counted", async () => {
    const stub = env.WORKSPACE.get(env.WORKSPACE.newUniqueId());
    const before = await stub.liveTargets();
    const sessions = await Promise.all([1, 2, 3].map(() => stub.sharedStub()));
    expect(await stub.liveTargets()).toBe(before + 1);
    for (const session of sessions) expect(await session.fs.exists("/")).toBe(true);
    for (const [closed, session] of sessions.entries()) {
      session[Symbol.dispose]();
      for (const open of sessions.slice(closed + 1)) expect(await open.fs.exists("/")).toBe(true);
    }
    await expect.poll(() => stub.liveTargets()).toBe(before);
    using one = getWorkspace(stub);
    using two = getWorkspace(stub);
    await Promise.all([one.fs.exists("/"), two.fs.exists("/")]);
    expect(await stub.liveTargets()).toBe(before + 2);
  });

  test("a target that is disposed more often than it was counted takes no other's place", () => {
    const targets = new LiveTargets();
    const shared = {};
    for (let session = 0; session < 3; session++) targets.add(shared);
    expect(targets.count).toBe(1);
    targets.add({});
    for (let session = 0; session < 3; session++) targets.remove(shared);
    targets.add({});
    expect(targets.count).toBe(2);
  });
});

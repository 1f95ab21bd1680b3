/** Runs and clients over Workers RPC in great number, and the count of live objects before and after. */

import { env } from "cloudflare:test";
import { expect } from "vitest";
import { getWorkspace } from "../src/index.ts";

/** Goes once through everything that hands out a stub, `rounds` times. */
export async function soak(rounds: number): Promise<void> {
  const stub = env.WORKSPACE.get(env.WORKSPACE.newUniqueId());
  const before = await stub.liveTargets();
  for (let round = 0; round < rounds; round++) {
    using client = getWorkspace(stub);
    using asked = await client.runtime.exec(`say ${round}`, { encoding: "utf8", id: `${round}` });
    expect((await asked.result()).stdout).toBe(`${round}`);
    if (round % 4 === 0) {
      using read = await client.runtime.getExec(`${round}`);
      for await (const event of read) expect(event.id).toBe(`${round}`);
    }
    // A handle that nothing was had of, and one whose reading was broken off.
    if (round % 4 === 1) (await client.runtime.getExec(`${round}`))[Symbol.dispose]();
    if (round % 4 === 2) {
      using left = await client.runtime.getExec(`${round}`);
      for await (const event of left) if (event.seq === 0) break;
    }
    if (round % 4 === 3) await client.runtime.getExec("nobody").catch(() => {});
  }
  await settled(stub, before);
}

/** Small calls and large contents over one session, and the count of live objects before and after. */
export async function soakSession(calls: number, blobs: number): Promise<void> {
  const stub = env.WORKSPACE.get(env.WORKSPACE.newUniqueId());
  const before = await stub.liveTargets();
  const blob = new Uint8Array(1024 * 1024);
  {
    using client = getWorkspace(stub);
    for (let done = 0; done < calls; done += 100) {
      await Promise.all(Array.from({ length: 100 }, () => client.fs.exists("/nowhere")));
    }
    for (let done = 0; done < blobs; done++) {
      blob.fill(done);
      await client.fs.writeFile("/blob", blob);
      const bytes = new Uint8Array(await new Response(await client.fs.readFile("/blob")).arrayBuffer());
      expect([bytes.length, bytes[0], bytes.at(-1)]).toEqual([blob.length, done % 256, done % 256]);
    }
    expect(await stub.liveTargets()).toBe(before + 1);
  }
  await settled(stub, before);
}

/** Disposals reach the object a little later than the calls. */
async function settled(stub: { liveTargets(): Promise<number> }, before: number): Promise<void> {
  for (let turn = 0; turn < 200 && (await stub.liveTargets()) !== before; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  expect(await stub.liveTargets()).toBe(before);
}

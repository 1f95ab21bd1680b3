/** Contents that a mount knows by hash only. */

import { describe, expect, test, vi } from "vitest";
import { sh, start } from "../mounted.ts";
import { type MountUnderTest, remote, sha256 } from "./mount-under-test.ts";

export function describeAbsentContents(on: MountUnderTest): void {
  describe("contents that are not here", () => {
    test("are waited for by who reads them and by nobody else", async () => {
      const { bytes, chunks, entry } = remote(`${on.path}/far`);
      await on.apply(entry);
      const asked = Promise.withResolvers<void>();
      const arrive = Promise.withResolvers<void>();
      const requests: number[] = [];
      on.fetchAbsent = async (hashes) => {
        requests.push(hashes.length);
        asked.resolve();
        await arrive.promise;
        return chunks.filter(({ hash }) => hashes.some((wanted) => hash.equals(wanted)));
      };
      const reading = sh(on.dir, "sha256sum < far | cut -c1-64");
      await asked.promise;
      expect(await sh(on.dir, "echo near > near; cat near; stat -c %s far")).toBe("near\n300000\n");
      arrive.resolve();
      expect(await reading).toBe(`${sha256(bytes).toString("hex")}\n`);
      const fetched = requests.length;
      expect(await sh(on.dir, "tail -c 5 far | wc -c")).toBe("5\n");
      expect(requests.length).toBe(fetched);
    });

    test("that cannot be had are an error of the read, and the file can still be replaced or removed", async () => {
      await on.apply(remote(`${on.path}/far`).entry, remote(`${on.path}/gone`).entry);
      const logged = vi.spyOn(console, "error").mockImplementation(() => {});
      on.fetchAbsent = async () => {
        throw new Error("no connection");
      };
      await expect(sh(on.dir, "cat far > /dev/null")).rejects.toThrow(/Input\/output error/);
      on.fetchAbsent = async () => [];
      await expect(sh(on.dir, "cat far > /dev/null")).rejects.toThrow(/Input\/output error/);
      logged.mockRestore();
      expect(await sh(on.dir, "echo new > far; cat far; rm gone; ls")).toBe("new\nfar\n");
    });

    test("that do not come keep nobody who is told to end", async () => {
      await on.apply(remote(`${on.path}/far`).entry);
      const asked = Promise.withResolvers<void>();
      const over = Promise.withResolvers<[]>();
      on.fetchAbsent = () => {
        asked.resolve();
        return over.promise;
      };
      const reader = start(on.dir, "exec cat far > /dev/null");
      await asked.promise;
      if (on.lacks("interrupts")) over.resolve([]);
      // Resolves once the reader is gone, which waits in the kernel.
      await reader[Symbol.asyncDispose]();
      expect(await sh(on.dir, "echo new > far; cat far")).toBe("new\n");
      over.resolve([]);
    });

    test("are fetched for a file that is made longer, of which the last chunk then has another hash", async () => {
      const { bytes, chunks, entry } = remote(`${on.path}/far`);
      const asked: string[] = [];
      on.fetchAbsent = async (hashes) => {
        asked.push(...hashes.map((hash) => Buffer.from(hash).toString("hex")));
        return chunks;
      };
      await on.apply(entry, { ...entry, path: `${on.path}/same` });
      await sh(on.dir, "truncate -s 300100 far; truncate -s 262144 same");
      expect(asked.filter((hash) => hash === chunks[1]!.hash.toString("hex"))).toHaveLength(1);
      const whole = Buffer.concat([bytes, Buffer.alloc(100)]);
      expect(await sh(on.dir, "sha256sum < far | cut -c1-64; stat -c %s far")).toBe(
        `${sha256(whole).toString("hex")}\n300100\n`,
      );
      const carried = await on.mount.store.entry(`${on.path}/far`);
      const hash = sha256(whole.subarray(262_144));
      expect(
        carried?.kind === "file" && carried.chunks.map((chunk) => Buffer.from(chunk.hash).toString("hex")),
      ).toEqual([chunks[0]!.hash.toString("hex"), hash.toString("hex")]);
    });

    test("are fetched for a write and a cut in the middle of a chunk", async () => {
      const { bytes, chunks, entry } = remote(`${on.path}/far`);
      on.fetchAbsent = async () => chunks;
      await on.apply(entry, { ...entry, path: `${on.path}/cut` });
      await sh(on.dir, "printf xyz | dd of=far bs=1 seek=100000 conv=notrunc status=none; truncate -s 299999 cut");
      const written = Buffer.from(bytes);
      written.write("xyz", 100_000);
      expect(await sh(on.dir, "sha256sum < far | cut -c1-64; sha256sum < cut | cut -c1-64")).toBe(
        `${sha256(written).toString("hex")}\n${sha256(bytes.subarray(0, 299_999)).toString("hex")}\n`,
      );
    });
  });
}

/** Writes that are kept until released. */

import { expect } from "vitest";
import { bytes, KIB, MIB, type On, stored } from "./context.ts";

export function testBuffers(on: On): void {
  on("keep writes to themselves until released, then write them as one revision", (fs, store) => {
    fs.writeFileSync("/w/f", "0123456789");
    const rev = store.rev();
    fs.openWriteBufferSync("/w/f");
    fs.writeRangeSync("/w/f", "AB", 2);
    fs.writeRangeSync("/w/f", "CD", 6);
    const fd = fs.openSync("/w/f", "a");
    fs.writeSync(fd, bytes("+"));
    fs.closeSync(fd);
    expect([fs.readFileSync("/w/f", "utf8"), fs.statSync("/w/f").size]).toEqual(["01AB45CD89+", 11]);
    expect(fs.readRangeSync("/w/f", 1, 3).toString()).toBe("1AB");
    expect([store.rev(), stored(store, "/w/f")]).toEqual([rev, "0123456789"]);
    fs.releaseWriteBufferSync("/w/f");
    expect([store.rev(), stored(store, "/w/f")]).toEqual([rev + 1, "01AB45CD89+"]);
    fs.releaseWriteBufferSync("/w/f");
    expect(store.rev()).toBe(rev + 1);
  });

  on("make a file with its contents as one revision", (fs, store) => {
    const rev = store.rev();
    fs.openWriteBufferForCreateSync("/w/f", { mode: 0o755 });
    expect([fs.existsSync("/w/f"), fs.statSync("/w/f").size, store.rev()]).toEqual([true, 0, rev]);
    for (let i = 0; i < 1_000; i++) fs.writeRangeSync("/w/f", "line\n", i * 5);
    expect(fs.readFileSync("/w/f").length).toBe(5_000);
    expect(() => stored(store, "/w/f")).toThrowError(/^ENOENT/);
    fs.releaseWriteBufferSync("/w/f");
    expect([store.rev(), stored(store, "/w/f"), fs.statSync("/w/f").mode]).toEqual([
      rev + 1,
      "line\n".repeat(1_000),
      0o100755,
    ]);
    expect(() => fs.openWriteBufferForCreateSync("/w/f")).toThrowError(/^EEXIST/);
    fs.openWriteBufferForCreateSync("/w/empty");
    fs.releaseWriteBufferSync("/w/empty");
    expect(stored(store, "/w/empty")).toBe("");
  });

  on("make the file early where its name is needed", (fs, store) => {
    fs.openWriteBufferForCreateSync("/w/f");
    fs.writeFileSync("/w/f", "one");
    expect(fs.readdirSync("/w")).toEqual(["f"]);
    fs.renameSync("/w/f", "/w/g");
    fs.writeRangeSync("/w/g", "two", 3);
    expect([fs.readFileSync("/w/g", "utf8"), stored(store, "/w/g")]).toEqual(["onetwo", "one"]);
    fs.releaseWriteBufferSync("/w/g");
    expect(stored(store, "/w/g")).toBe("onetwo");
  });

  on("are released as often as they were opened", (fs, store) => {
    fs.writeFileSync("/w/f", "");
    fs.openWriteBufferSync("/w/f");
    fs.openWriteBufferSync("/w/f");
    fs.writeFileSync("/w/f", "x");
    fs.releaseWriteBufferSync("/w/f");
    expect(stored(store, "/w/f")).toBe("");
    fs.releaseWriteBufferSync("/w/f");
    expect(stored(store, "/w/f")).toBe("x");
    expect(() => fs.openWriteBufferSync("/w/none")).toThrowError("ENOENT: no such file or directory, open '/w/none'");
  });

  on("follow the file, not its name", (fs, store) => {
    fs.writeFileSync("/w/f", "old");
    fs.openWriteBufferSync("/w/f");
    fs.writeFileSync("/w/f", "new");
    fs.renameSync("/w/f", "/w/g");
    fs.writeFileSync("/w/f", "another");
    fs.releaseWriteBufferSync("/w/g");
    expect([stored(store, "/w/f"), stored(store, "/w/g")]).toEqual(["another", "new"]);
    fs.openWriteBufferSync("/w/g");
    fs.writeFileSync("/w/g", "lost");
    const rev = store.rev();
    fs.unlinkSync("/w/g");
    expect(store.rev()).toBe(rev + 1);
  });

  on("hold no more than 16 MiB", (fs, store) => {
    fs.openWriteBufferForCreateSync("/w/f");
    const piece = new Uint8Array(5 * MIB).fill(1);
    for (let i = 0; i < 4; i++) fs.writeRangeSync("/w/f", piece, i * piece.length);
    expect(store.getattr(fs.statSync("/w/f").ino).size).toBe(15 * MIB);
    fs.writeRangeSync("/w/f", new Uint8Array(17 * MIB), 0);
    fs.releaseWriteBufferSync("/w/f");
    const last = fs.readRangeSync("/w/f", 17 * MIB - 1, 2);
    expect([fs.statSync("/w/f").size, ...last]).toEqual([20 * MIB, 0, 1]);
  });

  on("give what a plain array of bytes would, whatever is done to them", (fs, store) => {
    let seed = 1;
    const random = (limit: number) => {
      seed = (seed * 48_271) % 0x7fffffff;
      return seed % limit;
    };
    for (let round = 0; round < 12; round++) {
      let model = new Uint8Array(random(2 * MIB)).map((_, i) => (i * 31 + round) % 256);
      const path = `/w/f${round}`;
      if (round % 4 === 0) {
        model = new Uint8Array(0);
        fs.openWriteBufferForCreateSync(path);
      } else {
        fs.writeFileSync(path, model);
        fs.openWriteBufferSync(path);
      }
      for (let step = 0; step < 10; step++) {
        const size = random(4) === 0 ? random(2 * MIB) : undefined;
        if (size !== undefined) {
          const next = new Uint8Array(size);
          next.set(model.subarray(0, size));
          model = next;
          fs.truncateSync(path, size);
        } else {
          const offset = random(random(2) === 0 ? 2 * MIB : model.length + 1);
          const data = new Uint8Array(random(300 * KIB) + 1).fill(step + 1);
          const next = new Uint8Array(Math.max(model.length, offset + data.length));
          next.set(model);
          next.set(data, offset);
          model = next;
          fs.writeRangeSync(path, data, offset);
        }
        expect([round, step, fs.readFileSync(path).equals(model)]).toEqual([round, step, true]);
      }
      fs.releaseWriteBufferSync(path);
      const attr = store.getattr(fs.statSync(path).ino);
      const held = store.read(attr.ino, 0, attr.size);
      expect([round, held instanceof Uint8Array && fs.readFileSync(path).equals(model)]).toEqual([round, true]);
    }
  });
}

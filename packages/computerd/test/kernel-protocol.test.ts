import { readFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import type { Absent, MemoryStore } from "@cloudflare/dofs";
import { beforeEach, describe, expect, test } from "vitest";
import type { WithContents } from "../src/fuse/absent-contents.ts";
import { negativeErrno } from "../src/fuse/errno.ts";
import { Connection } from "../src/fuse/kernel/connection.ts";
import { Frame } from "../src/fuse/kernel/frame.ts";
import { decodeName, encodeName } from "../src/fuse/kernel/name-bytes.ts";
import { noticesOf } from "../src/fuse/kernel/notices.ts";
import { IN_BODY, OPERATION_COUNT, OPERATIONS, type Operation, STRUCTS } from "../src/fuse/kernel/protocol.ts";
import { Served } from "../src/fuse/kernel/served.ts";
import { openStore } from "../src/fuse/open-store.ts";

/** As a C compiler lays out `linux/fuse.h` 7.38: a struct a line, its fields with their offsets, then its size. */
const RECORDED = readFileSync(join(import.meta.dirname, "fuse-structs.txt"), "utf8")
  .trim()
  .split("\n");

describe("structs", () => {
  test.each(RECORDED.map((line) => line.split(" ") as [string, ...string[]]))("%s is as in C", (name, ...words) => {
    const layout: Record<string, number> = {};
    for (let at = 0; at < words.length; at += 2) layout[words[at]!] = Number(words[at + 1]);
    const ours = Object.fromEntries(
      Object.entries(STRUCTS[name] ?? {}).map(([field, offset]) => [
        field === "BYTES" ? "." : field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
        offset,
      ]),
    );
    expect(ours).toEqual(layout);
  });

  test("none is left out", () => {
    expect(Object.keys(STRUCTS).sort()).toEqual(RECORDED.map((line) => line.split(" ")[0]).sort());
  });

  test("numbers of all sizes come back from the bytes C would write", () => {
    const frame = new Frame(64);
    frame.clear(0, 64);
    frame.putU64(0, Number.MAX_SAFE_INTEGER);
    frame.putU64(8, -1);
    frame.putU32(16, -38);
    frame.putU16(20, 0xabcd);
    frame.putU16(22, 0x1234);
    frame.putU64(24, -86_400);
    expect(frame.bytes.toString("hex", 0, 32)).toBe(
      ["ffffffffffff1f00", "ffffffffffffffff", "daffffff", "cdab3412", "80aefeffffffffff"].join(""),
    );
    expect([frame.u64(0), frame.i64(8), frame.u32(16), frame.u16(20), frame.u16(22), frame.i64(24)]).toEqual([
      ...[Number.MAX_SAFE_INTEGER, -1, 0xffffffda, 0xabcd, 0x1234, -86_400],
    ]);
  });
});

describe("names", () => {
  test.each(["61", "c3bc", "e697a5", "f09f9982", "ff", "78ff79", "c3", "e697", "edb280", "efbfbd", "efbfbdff", "c0af"])(
    "the bytes %s are kept",
    (hex) => {
      const bytes = Buffer.from(`00${hex}00`, "hex");
      const name = decodeName(bytes, 1, bytes.length - 1);
      expect(encodeName(name).toString("hex")).toBe(hex);
    },
  );

  test("a byte that is no UTF-8 is a lone surrogate", () => {
    expect(decodeName(Buffer.from([0x78, 0xff, 0x80]), 0, 3)).toBe("x\udcff\udc80");
  });
});

describe("requests", () => {
  let store: MemoryStore;
  let connection: Connection;
  let sent: Buffer[];
  let greetings: string[];
  let retry: (() => void)[];

  /** Waits until told to try again, and gives up where told so. */
  const withContents: WithContents = (action, done, fail) => {
    const attempt = (): void => {
      try {
        const result = action();
        if (isAbsent(result)) retry.push(attempt);
        else done(result);
      } catch (error) {
        fail(negativeErrno(error));
      }
    };
    attempt();
  };

  beforeEach(() => {
    sent = [];
    greetings = [];
    retry = [];
    const opened = openStore("/workspace", { now: () => 1_700_000_000_123.5 });
    store = opened.store;
    const served = new Served({
      store,
      root: opened.root,
      withContents,
      send: (bytes, length) => void sent.push(Buffer.from(bytes.subarray(0, length))),
    });
    connection = new Connection(served, new Int32Array(OPERATION_COUNT), (greeting) => greetings.push(greeting));
  });

  let unique = 0;
  /** Asks as the kernel does and gives the answer's error and body; undefined where there is none. */
  const ask = (
    operation: Operation,
    node: number,
    body: Buffer | string = "",
  ): { error: number; body: Buffer } | undefined => {
    const bytes = Buffer.concat([header(operation, node, ++unique), Buffer.from(body)]);
    bytes.writeUInt32LE(bytes.length, 0);
    connection.served.request.bytes.set(bytes);
    sent.length = 0;
    connection.handle();
    return reply(unique);
  };
  const reply = (to: number): { error: number; body: Buffer } | undefined => {
    const answer = sent.find((bytes) => bytes.readBigUInt64LE(8) === BigInt(to));
    if (answer === undefined) return undefined;
    expect(answer.readUInt32LE(0)).toBe(answer.length);
    return { error: answer.readInt32LE(4), body: answer.subarray(16) };
  };

  test("INIT agrees on what the kernel offers, and on no write-back cache", () => {
    const body = Buffer.alloc(64);
    body.writeUInt32LE(7, 0);
    body.writeUInt32LE(45, 4);
    body.writeUInt32LE(0xffff_ffff, 12);
    const answer = ask("INIT", 0, body);
    expect(greetings).toEqual(["ready"]);
    expect(answer?.body.length).toBe(64);
    const flags = answer?.body.readUInt32LE(12) ?? 0;
    expect(flags.toString(16)).toBe("53e6a021");
    expect(flags & (1 << 16)).toBe(0);
    expect([answer?.body.readUInt32LE(0), answer?.body.readUInt32LE(4), answer?.body.readUInt32LE(20)]).toEqual([
      ...[7, 41, 1 << 20],
    ]);
  });

  test("INIT of a kernel that cannot do without opens is refused", () => {
    const body = Buffer.alloc(64);
    body.writeUInt32LE(7, 0);
    body.writeUInt32LE(31, 4);
    expect(ask("INIT", 0, body)?.error).toBe(-constants.errno.EPROTO);
    expect(greetings).toEqual(["too old"]);
  });

  test("MKNOD and LOOKUP tell of an entry, byte for byte", () => {
    const mode = Buffer.alloc(16);
    mode.writeUInt32LE(0o100640, 0);
    const made = ask("MKNOD", 1, Buffer.concat([mode, Buffer.from("f\0")]));
    expect(made?.error).toBe(0);
    const ino = made?.body.readUInt32LE(0) ?? 0;
    const inode = ino.toString(16).padStart(2, "0").padEnd(16, "0");
    const time = "00f1536500000000";
    expect(made?.body.toString("hex")).toBe(
      [
        ...[inode, "0".repeat(16), "00ca9a3b00000000", "00ca9a3b00000000", "0".repeat(16)],
        ...[inode, "0".repeat(16), "0".repeat(16), time, time, time],
        ...["e0755c07".repeat(3), "a0810000", "01000000", "e8030000", "e9030000", "00000000", "00000100", "00000000"],
      ].join(""),
    );
    expect(ask("LOOKUP", 1, "f\0")?.body.equals(made?.body ?? Buffer.alloc(0))).toBe(true);
    expect(ask("LOOKUP", 1, "none\0")?.body.toString("hex")).toBe(
      `${"0".repeat(32)}00ca9a3b00000000${"0".repeat(208)}`,
    );
  });

  test("an inode without a name lives until the kernel forgets all it was told", () => {
    const ino = makeFile("f");
    ask("LOOKUP", 1, "f\0");
    expect(ask("UNLINK", 1, "f\0")?.error).toBe(0);
    expect(ask("FORGET", ino, number64(1))).toBeUndefined();
    expect(ask("GETATTR", ino, Buffer.alloc(16))?.error).toBe(0);
    const batch = Buffer.concat([Buffer.from([1, 0, 0, 0, 0, 0, 0, 0]), number64(ino), number64(1)]);
    expect(ask("BATCH_FORGET", 0, batch)).toBeUndefined();
    expect(ask("GETATTR", ino, Buffer.alloc(16))?.error).toBe(-constants.errno.ENOENT);
  });

  test("WRITE and READ pass bytes at offsets beyond 4 GiB", () => {
    const ino = makeFile("f");
    const at = 5 * 2 ** 30 + 3;
    const write = Buffer.concat([
      number64(0),
      number64(at),
      Buffer.from([3, 0, 0, 0]),
      Buffer.alloc(20),
      Buffer.from("abc"),
    ]);
    expect(ask("WRITE", ino, write)?.body.readUInt32LE(0)).toBe(3);
    expect(store.getattr(ino).size).toBe(at + 3);
    const read = Buffer.concat([number64(0), number64(at - 1), Buffer.from([9, 0, 0, 0]), Buffer.alloc(20)]);
    expect(ask("READ", ino, read)?.body.toString("latin1")).toBe("\0abc");
  });

  test("what waits for contents is answered once, and with EINTR where the kernel takes it back", () => {
    const hash = Buffer.alloc(32, 7);
    const entry = { kind: "file" as const, rev: 1, path: "/workspace/far", mode: 0o644, mtime: 1, size: 40_000 };
    store.apply([{ ...entry, chunks: [{ hash, size: 40_000 }] }], { peer: "host", allowAbsent: true });
    const ino = ask("LOOKUP", 1, "far\0")?.body.readUInt32LE(0) ?? 0;
    const read = Buffer.concat([number64(0), number64(0), Buffer.from([9, 0, 0, 0]), Buffer.alloc(20)]);
    const idle: number[] = [];
    connection.served.onIdle = (which) => idle.push(which);
    expect(ask("READ", ino, read)).toBeUndefined();
    const first = unique;
    expect(connection.served.waits(ino)).toBe(true);
    expect(ask("GETATTR", ino, Buffer.alloc(16))?.error).toBe(0);
    ask("INTERRUPT", 0, number64(first));
    expect(reply(first)?.error).toBe(-constants.errno.EINTR);
    expect(idle).toEqual([ino]);
    sent.length = 0;
    for (const again of retry.splice(0)) again();
    expect(reply(first)).toBeUndefined();
  });

  test("a write that waited and was taken back is not done when its contents come, nor one that was answered twice", () => {
    const hash = Buffer.alloc(32, 7);
    const entry = { kind: "file" as const, rev: 1, path: "/workspace/far", mode: 0o644, mtime: 1, size: 40_000 };
    store.apply([{ ...entry, chunks: [{ hash, size: 40_000 }] }], { peer: "host", allowAbsent: true });
    const ino = ask("LOOKUP", 1, "far\0")?.body.readUInt32LE(0) ?? 0;
    const write = (text: string): Buffer =>
      Buffer.concat([
        number64(0),
        number64(10),
        Buffer.from([text.length, 0, 0, 0]),
        Buffer.alloc(20),
        Buffer.from(text),
      ]);
    ask("WRITE", ino, write("taken back"));
    ask("INTERRUPT", 0, number64(unique));
    expect(ask("WRITE", ino, write("early"))).toBeUndefined();
    const early = unique;
    const setattr = Buffer.alloc(88);
    setattr.writeUInt32LE(8, 0);
    // A file that is emptied needs no contents: who waits for them is answered.
    expect(ask("SETATTR", ino, setattr)?.error).toBe(0);
    expect(reply(early)?.error).toBe(0);
    expect(ask("WRITE", ino, write("after"))?.error).toBe(0);
    sent.length = 0;
    for (const again of retry.splice(0)) again();
    expect(sent).toEqual([]);
    expect(Buffer.from(store.read(ino, 0, 100) as Uint8Array).toString("latin1")).toBe(`${"\0".repeat(10)}after`);
  });

  test("what the kernel can do without is not implemented", () => {
    for (const operation of ["OPEN", "OPENDIR", "FLUSH", "FSYNC", "CREATE", "ACCESS", "GETLK", "STATX"] as const) {
      expect([operation, ask(operation, 1, Buffer.alloc(64))?.error]).toEqual([operation, -constants.errno.ENOSYS]);
    }
  });

  test("a change from outside is told of what the kernel knows, and of nothing else", () => {
    const ino = makeFile("known");
    const data = new TextEncoder().encode("new");
    const file = { kind: "file" as const, rev: 1, mode: 0o644, mtime: 1, size: 3, chunks: [], data };
    const { touched } = store.touchedBy(() =>
      store.apply(
        [
          { ...file, path: "/workspace/known" },
          { ...file, path: "/workspace/d/unknown" },
        ],
        { peer: "host" },
      ),
    );
    const told = noticesOf(touched, connection.served.nodes).map(({ bytes }) => Buffer.from(bytes));
    const text = told.map((bytes) => {
      const node = Number(bytes.readBigUInt64LE(16));
      return bytes.readInt32LE(4) === 3
        ? `entry ${node} ${bytes.toString("utf8", 32, bytes.length - 1)}`
        : `inode ${node}`;
    });
    expect(text.sort()).toEqual(["entry 1 d", "inode 1", `inode ${ino}`].sort());
    expect(told.every((bytes) => bytes.readUInt32LE(0) === bytes.length)).toBe(true);
  });

  function makeFile(name: string): number {
    const mode = Buffer.alloc(16);
    mode.writeUInt32LE(0o100644, 0);
    return ask("MKNOD", 1, Buffer.concat([mode, Buffer.from(`${name}\0`)]))?.body.readUInt32LE(0) ?? 0;
  }
});

function header(operation: Operation, node: number, unique: number): Buffer {
  const bytes = Buffer.alloc(IN_BODY);
  bytes.writeUInt32LE(OPERATIONS[operation], 4);
  bytes.writeBigUInt64LE(BigInt(unique), 8);
  bytes.writeBigUInt64LE(BigInt(node), 16);
  bytes.writeUInt32LE(1000, 24);
  bytes.writeUInt32LE(1001, 28);
  return bytes;
}

function number64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function isAbsent(result: unknown): result is Absent {
  return typeof result === "object" && result !== null && "absent" in result;
}

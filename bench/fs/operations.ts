/** What is measured: for each operation what must be there before it, and the operation itself. */

/** The part of a workspace that is measured; both systems have it. */
export interface Files {
  readonly fs: {
    writeFile(path: string, content: string | Uint8Array | ReadableStream<Uint8Array>): Promise<void>;
    readFile(path: string): Promise<ReadableStream<Uint8Array>>;
    readFile(path: string, encoding: "utf8"): Promise<string>;
    mkdir(path: string, options?: { recursive?: boolean }): Promise<void>;
    stat(path: string): Promise<{ size: number }>;
    readdir(path: string): Promise<unknown[]>;
    rename(from: string, to: string): Promise<void>;
    rm(path: string, options?: { recursive?: boolean }): Promise<void>;
    find(directory: string, pattern: string): Promise<unknown[]>;
    grep(pattern: string, path: string): Promise<unknown[]>;
  };
  provider(): { writeRangeSync(path: string, data: Uint8Array, offset: number): number };
}

export interface Operation {
  readonly id: string;
  readonly title: string;
  /** How often `run` does it: what is measured is divided by this. */
  readonly times: number;
  /** Makes what the operation finds; the object is restarted after it, so that nothing is remembered. */
  prepare(files: Files): Promise<void>;
  /** Does it, and gives a number that must be the same for every system. */
  run(files: Files): Promise<number>;
}

const MIB = 1024 * 1024;
const PIECE_BYTES = 64 * 1024;
const TEXT = "A line of some forty characters or so\n".repeat(3).slice(0, 100);

/** Files `f0.ts` and on, so many to a directory. */
async function plant({ fs }: Files, directory: string, count: number, perDirectory = count): Promise<void> {
  for (let i = 0; i < count; i++) {
    const parent = perDirectory === count ? directory : `${directory}/d${Math.floor(i / perDirectory)}`;
    if (i % perDirectory === 0) await fs.mkdir(parent, { recursive: true });
    await fs.writeFile(`${parent}/f${i}.ts`, `${TEXT}export const n = ${i};\n`);
  }
}

/** Bytes that no two chunks have in common, a piece at a time. */
function bytesOf(size: number): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= size) return controller.close();
      const piece = new Uint8Array(Math.min(PIECE_BYTES, size - at));
      const words = new Uint32Array(piece.buffer);
      for (let i = 0; i < words.length; i++) words[i] = Math.imul(at + i, 0x9e3779b1);
      at += piece.length;
      controller.enqueue(piece);
    },
  });
}

async function summed(times: number, operation: () => Promise<number>): Promise<number> {
  let sum = 0;
  for (let i = 0; i < times; i++) sum += await operation();
  return sum;
}

async function each(times: number, operation: (i: number) => unknown): Promise<number> {
  for (let i = 0; i < times; i++) await operation(i);
  return times;
}

const nothing = async (): Promise<void> => {};

/** In the order of the table. */
export const operations: readonly Operation[] = [
  {
    id: "nothing",
    title: "an empty request, taken off all others",
    times: 1,
    prepare: nothing,
    run: async () => 0,
  },
  {
    id: "create",
    title: "create a file of 100 bytes",
    times: 200,
    prepare: ({ fs }) => fs.mkdir("/w"),
    run: ({ fs }) => each(200, (i) => fs.writeFile(`/w/f${i}`, TEXT)),
  },
  {
    id: "overwrite",
    title: "overwrite a file of 100 bytes",
    times: 200,
    prepare: (files) => plant(files, "/w", 200),
    run: ({ fs }) => each(200, (i) => fs.writeFile(`/w/f${i}.ts`, TEXT)),
  },
  {
    id: "append",
    title: "append 1 byte to 50 MiB",
    times: 50,
    prepare: ({ fs }) => fs.writeFile("/big", bytesOf(50 * MIB)),
    run: (files) => each(50, (i) => files.provider().writeRangeSync("/big", new Uint8Array([i]), 50 * MIB + i)),
  },
  {
    id: "edit",
    title: "change 1 byte in 64 MiB",
    times: 10,
    prepare: ({ fs }) => fs.writeFile("/big", bytesOf(64 * MIB)),
    run: (files) => each(10, (i) => files.provider().writeRangeSync("/big", new Uint8Array([i]), i * 6 * MIB + 12_345)),
  },
  {
    id: "stat",
    title: "stat, one of 1,000 in a directory",
    times: 200,
    prepare: (files) => plant(files, "/w/a/b", 1_000),
    run: ({ fs }) => each(200, (i) => fs.stat(`/w/a/b/f${i * 5}.ts`)),
  },
  {
    id: "read",
    title: "read a file of 120 bytes",
    times: 200,
    prepare: (files) => plant(files, "/w/a/b", 1_000),
    run: ({ fs }) => each(200, (i) => fs.readFile(`/w/a/b/f${i * 5}.ts`, "utf8")),
  },
  {
    id: "readdir",
    title: "readdir of 1,000",
    times: 20,
    prepare: (files) => plant(files, "/w", 1_000),
    run: ({ fs }) => summed(20, async () => (await fs.readdir("/w")).length),
  },
  {
    id: "rename",
    title: "rename a directory of 5,000 files",
    times: 1,
    prepare: (files) => plant(files, "/w", 5_000, 100),
    run: ({ fs }) => each(1, () => fs.rename("/w", "/moved")),
  },
  {
    id: "remove",
    title: "remove a directory of 2,000 files",
    times: 1,
    prepare: (files) => plant(files, "/w", 2_000, 100),
    run: ({ fs }) => each(1, () => fs.rm("/w", { recursive: true })),
  },
  {
    id: "find",
    title: "find by glob over 2,000 files",
    times: 20,
    prepare: (files) => plant(files, "/w", 2_000, 100),
    run: ({ fs }) => summed(20, async () => (await fs.find("/w", "**/*7.ts")).length),
  },
  {
    id: "grep",
    title: "grep over 2,000 files",
    times: 1,
    prepare: (files) => plant(files, "/w", 2_000, 100),
    run: async ({ fs }) => (await fs.grep("n = 77", "/w")).length,
  },
  {
    id: "stream-in",
    title: "write 100 MiB from a stream",
    times: 1,
    prepare: nothing,
    run: async ({ fs }) => {
      await fs.writeFile("/big", bytesOf(100 * MIB));
      return (await fs.stat("/big")).size;
    },
  },
  {
    id: "stream-out",
    title: "read 100 MiB as a stream",
    times: 1,
    prepare: ({ fs }) => fs.writeFile("/big", bytesOf(100 * MIB)),
    run: async ({ fs }) => {
      let size = 0;
      for await (const piece of await fs.readFile("/big")) size += piece.length;
      return size;
    },
  },
];

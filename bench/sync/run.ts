/**
 * `node bench/sync/run.ts [rounds]`: sync and runs between a workspace in node:sqlite and a real daemon with a mount, over each carrier. Writes
 * the table into docs/performance.md.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import {
  CBOR_PROTOCOL,
  connectDaemon,
  type DaemonSession,
  LazyContents,
  SyncDriver,
  type SyncResult,
} from "@cloudflare/computer-rpc";
import { Database, type InodeStore, ROOT_INO, SqlStore } from "@cloudflare/dofs";
import { openNodeStorage } from "@cloudflare/dofs/node";

const PAGE = join(import.meta.dirname, "../../docs/performance.md");
const BEGIN = "<!-- bench/sync: begin -->";
const END = "<!-- bench/sync: end -->";
const MIB = 1 << 20;
const CARRIERS = { text: [], cbor: [CBOR_PROTOCOL] } as const;

type Carrier = keyof typeof CARRIERS;

interface Setting {
  readonly store: InodeStore;
  readonly session: DaemonSession;
  readonly driver: SyncDriver;
}

/** What is measured: prepared before the clock starts; says how many calls it made. */
interface Operation {
  readonly title: string;
  readonly lazy?: boolean;
  prepare(setting: Setting): Promise<void>;
  run(setting: Setting): Promise<{ roundTrips: number }>;
}

const rounds = Number(process.argv[2] ?? 3);
if (!Number.isInteger(rounds) || rounds < 1) throw new TypeError("usage: node bench/sync/run.ts [rounds]");

const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest();

function workspaceStore(): SqlStore {
  const store = SqlStore.open(new Database(openNodeStorage()), { sha256 });
  store.create(ROOT_INO, "workspace", { kind: "dir", mode: 0o755 });
  return store;
}

function fill(store: InodeStore, files: number, size: number): void {
  const root = store.lookup(ROOT_INO, "workspace")!.ino;
  for (let i = 0; i < files; i++) {
    const content = new Uint8Array(size);
    for (let at = 0; at < size; at += 4_096) content[at] = (i + at / 4_096) % 251;
    for (let at = 0; at < size; at += 262_144) new DataView(content.buffer, at).setUint32(0, i + at);
    store.create(root, `f${i}`, { kind: "file", mode: 0o644, content });
  }
}

async function exec({ session }: Setting, source: string): Promise<void> {
  const { events } = await session.rpc.shell.exec({ source });
  for await (const event of events)
    if (event.name === "exit" && event.code !== 0) throw new Error(`exit ${event.code}`);
}

const pushed = (title: string, files: number, size: number): Operation => ({
  title: `push ${title}`,
  async prepare({ store, driver }) {
    await driver.pushAll();
    fill(store, files, size);
  },
  run: ({ driver }): Promise<SyncResult> => driver.pushAll(),
});

const pulled = (title: string, command: string): Operation => ({
  title: `pull ${title}`,
  async prepare(setting) {
    await setting.driver.pushAll();
    await exec(setting, command);
  },
  run: ({ driver }): Promise<SyncResult> => driver.pullAll(),
});

const bracket = async (setting: Setting): Promise<{ roundTrips: number }> => {
  const before = await setting.driver.pushAll();
  await exec(setting, "true");
  const after = await setting.driver.pullAll();
  return { roundTrips: before.roundTrips + 1 + after.roundTrips };
};

const many = (count: number): string => `i=0; while [ $i -lt ${count} ]; do echo $i > g$i; i=$((i+1)); done`;

const operations: readonly Operation[] = [
  pushed("1 file of 100 bytes", 1, 100),
  pushed("1,000 files of 100 bytes", 1_000, 100),
  pushed("10,000 files of 100 bytes", 10_000, 100),
  pushed("64 MiB in one file", 1, 64 * MIB),
  pulled("1 small file", many(1)),
  pulled("1,000 small files", many(1_000)),
  pulled("10,000 small files", many(10_000)),
  pulled("64 MiB in one file", "head -c 67108864 /dev/urandom > large"),
  { title: "exec of `true` with nothing changed", lazy: true, prepare: (s) => bracket(s).then(() => {}), run: bracket },
  {
    title: "first exec, 10,000 files stored",
    lazy: true,
    prepare: async ({ store }) => fill(store, 10_000, 100),
    run: bracket,
  },
  {
    title: "first exec, 100 files of 1 MiB stored",
    lazy: true,
    prepare: async ({ store }) => fill(store, 100, MIB),
    run: bracket,
  },
];

async function startDaemon(mountPoint: string): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "daemon.ts")], {
    env: { PATH: process.env.PATH, PORT: "0", MOUNT_POINT: mountPoint },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [address] = await Promise.race([
    new Promise<string[]>((resolve) => child.stdout.once("data", (bytes: Buffer) => resolve(`${bytes}`.split("\n")))),
    new Promise<never>((_, reject) => child.once("exit", () => reject(new Error("the daemon did not start")))),
  ]);
  return { child, url: `${address?.replace("http", "ws")}/api` };
}

/** Each run has a daemon and a workspace of its own. */
async function once(operation: Operation, carrier: Carrier): Promise<{ ms: number; roundTrips: number }> {
  const directory = mkdtempSync(join(tmpdir(), "bench-sync-"));
  const { child, url } = await startDaemon(join(directory, "mnt"));
  try {
    const store = workspaceStore();
    const socket = new WebSocket(url, [...CARRIERS[carrier]]);
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve);
      socket.addEventListener("error", reject);
    });
    const contents = operation.lazy === true ? new LazyContents(store) : undefined;
    const session = await connectDaemon(socket, contents === undefined ? {} : { contents });
    const { runtimeId } = session.hello;
    const setting = { store, session, driver: new SyncDriver({ store, rpc: session.rpc.sync, runtimeId, contents }) };
    await operation.prepare(setting);
    const start = performance.now();
    const { roundTrips } = await operation.run(setting);
    const ms = performance.now() - start;
    session.close();
    return { ms, roundTrips };
  } finally {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await ended;
    rmSync(directory, { recursive: true, force: true });
  }
}

const rows: string[] = [];
for (const operation of operations) {
  const times: Record<Carrier, number[]> = { text: [], cbor: [] };
  const trips = new Set<number>();
  for (let round = 0; round < rounds; round++) {
    // By turns, so that what the machine does meanwhile falls on both.
    for (const carrier of round % 2 === 0 ? (["text", "cbor"] as const) : (["cbor", "text"] as const)) {
      const { ms, roundTrips } = await once(operation, carrier);
      times[carrier].push(ms);
      trips.add(roundTrips);
    }
  }
  const format = (ms: number | undefined): string => (ms ?? 0).toFixed(1);
  const cells = [times.text, times.cbor].map((taken) => {
    taken.sort((a, b) => a - b);
    return `${format(taken[Math.floor(taken.length / 2)])} (${format(taken[0])}–${format(taken.at(-1))})`;
  });
  rows.push(`| ${operation.title} | ${cells.join(" | ")} | ${[...trips].join("–")} |`);
  console.log(rows.at(-1));
}
const [cpu] = cpus();
const load = loadavg()[0] ?? 0;
const busy =
  load > 2 * availableParallelism() ? `, on a machine that was busy with other work (load ${load.toFixed(0)})` : "";
const text = [
  "| operation | text, ms | CBOR, ms | round trips |",
  "| --- | ---: | ---: | ---: |",
  ...rows,
  "",
  `Medians of ${rounds} runs, least and most in brackets${busy}. ${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${availableParallelism()} × ${cpu?.model ?? "unknown processor"}.`,
].join("\n");
const page = readFileSync(PAGE, "utf8");
const [before, after] = [page.indexOf(BEGIN), page.indexOf(END)];
if (before < 0 || after < before) throw new Error(`${PAGE} lacks the lines ${BEGIN} and ${END}`);
writeFileSync(PAGE, `${page.slice(0, before + BEGIN.length)}\n${text}\n${page.slice(after)}`);

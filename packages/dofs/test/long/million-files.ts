/**
 * A million small files in one Durable Object: what it costs in rows to create, stat, find and rename among them, what is remembered of
 * them, and the memory of workerd. `node packages/dofs/test/long/million-files.ts [count]`; exits 1 where a budget does not hold.
 */

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unstable_startWorker } from "wrangler";

interface Answer {
  read: number;
  written: number;
  remembered: { inodes: number; names: number };
  inodes: number;
}

const COUNT = Number(process.argv[2] ?? 1_000_000);
const BATCH = 10_000;
const SAMPLE = 200;
/** Entries that the two caches of a SqlStore may hold, old generation included. */
const REMEMBERED = { inodes: 2 * 4096, names: 2 * 8192 };

process.env.WRANGLER_SEND_METRICS = "false";
process.env.CLOUDFLARE_CF_FETCH_ENABLED = "false";
const state = mkdtempSync(join(tmpdir(), "million-files-"));
const worker = await unstable_startWorker({
  config: join(import.meta.dirname, "million-files/wrangler.jsonc"),
  dev: { server: { port: 0 }, inspector: false, persist: state, logLevel: "error", watch: false },
});
const started = performance.now();
try {
  await worker.ready;
  const failures: string[] = [];
  const hold = (what: string, value: number, budget: number) => {
    console.log(`  ${what}: ${value} (at most ${budget})`);
    if (!(value <= budget)) failures.push(`${what}: ${value}, at most ${budget}`);
  };
  const ask = async (action: string, from: number, to: number): Promise<Answer> => {
    const response = await worker.fetch(`http://files/${action}?from=${from}&to=${to}`);
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as Answer;
  };
  const seconds = async (title: string, body: () => Promise<void>) => {
    const before = performance.now();
    console.log(title);
    await body();
    console.log(`  ${((performance.now() - before) / 1000).toFixed(1)} s, workerd ${residentMegabytes()} MB`);
  };

  await seconds(`create ${COUNT} files`, async () => {
    let written = 0;
    let remembered = { inodes: 0, names: 0 };
    for (let from = 0; from < COUNT; from += BATCH) {
      const answer = await ask("create", from, Math.min(COUNT, from + BATCH));
      written += answer.written;
      remembered = {
        inodes: Math.max(remembered.inodes, answer.remembered.inodes),
        names: Math.max(remembered.names, answer.remembered.names),
      };
    }
    hold("rows written a file, log pruning included", round(written / COUNT), 5.1);
    hold("inodes remembered", remembered.inodes, REMEMBERED.inodes);
    hold("names remembered", remembered.names, REMEMBERED.names);
  });
  await seconds(`stat ${SAMPLE} of them, each in another directory`, async () => {
    let read = 0;
    for (let i = 0; i < SAMPLE; i++) {
      const from = Math.floor((i * COUNT) / SAMPLE) + 7;
      read += (await ask("stat", from, from + 1)).read;
    }
    hold("rows read a stat", round(read / SAMPLE), 8);
  });
  await seconds("find one by name", async () => {
    const { read } = await ask("find", COUNT - 3, COUNT - 2);
    hold("rows read an entry", round(read / (COUNT + Math.ceil(COUNT / 1_000))), 1.1);
  });
  await seconds("rename the directory above all, and back", async () => {
    const { written, read } = await ask("rename", 0, 1);
    hold("rows written a rename", written / 2, 8);
    hold("rows read a rename", read / 2, 20);
  });
  for (const failure of failures) console.log(`FAILED ${failure}`);
  console.log(`a million files: ${((performance.now() - started) / 1000).toFixed(0)} s`);
  process.exitCode = failures.length === 0 ? 0 : 1;
} finally {
  await worker.dispose();
  rmSync(state, { recursive: true, force: true });
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** The resident memory of the workerd that this process started, in MB. */
function residentMegabytes(): number {
  let largest = 0;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      const field = (name: string) => new RegExp(`^${name}:\\s+(\\S+)`, "m").exec(status)?.[1];
      if (field("Name") === "workerd" && Number(field("PPid")) === process.pid) {
        largest = Math.max(largest, Number(field("VmRSS")) / 1024);
      }
    } catch {
      // The process has ended meanwhile.
    }
  }
  return Math.round(largest);
}

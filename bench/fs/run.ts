/**
 * `node bench/fs/run.ts [rounds] [operation…]`: our filesystem beside the published one, in one workerd. Writes the table into
 * docs/performance.md, unless only some operations are asked for.
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { unstable_startWorker } from "wrangler";
import { measure } from "./measure.ts";
import { operations } from "./operations.ts";
import { rowsOf, slower, table } from "./table.ts";

const DEFAULT_ROUNDS = 5;
const PAGE = join(import.meta.dirname, "../../docs/performance.md");
/** What stands between these in the page is written by this command. */
const BEGIN = "<!-- bench/fs: begin -->";
const END = "<!-- bench/fs: end -->";

process.env.WRANGLER_SEND_METRICS = "false";
process.env.CLOUDFLARE_CF_FETCH_ENABLED = "false";

const [roundsGiven, ...ids] = process.argv.slice(2);
const rounds = Number(roundsGiven ?? DEFAULT_ROUNDS);
if (!Number.isInteger(rounds) || rounds < 1) throw new TypeError("usage: node bench/fs/run.ts [rounds] [operation…]");
const wanted = ids.length === 0 ? operations : operations.filter(({ id }) => id === "nothing" || ids.includes(id));

const state = mkdtempSync(join(tmpdir(), "bench-fs-"));
const worker = await unstable_startWorker({
  config: join(import.meta.dirname, "wrangler.jsonc"),
  dev: { server: { port: 0 }, inspector: false, persist: state, logLevel: "error", watch: false },
});
try {
  await worker.ready;
  const measured = await measure(
    (url) => worker.fetch(url),
    wanted,
    rounds,
    (line) => console.log(line),
  );
  const rows = rowsOf(measured);
  const text = `${table(rows)}\n\n${verdict(rows)}\n\n${conditions(rounds)}`;
  console.log(`\n${text}`);
  if (ids.length === 0) writePage(text);
} finally {
  await worker.dispose();
  rmSync(state, { recursive: true, force: true });
}

function verdict(rows: ReturnType<typeof rowsOf>): string {
  const titles = slower(rows).map(({ title }) => title);
  return titles.length === 0 ? "Ours is the faster in every row." : `Ours is not the faster in: ${titles.join("; ")}.`;
}

function conditions(rounds: number): string {
  const [cpu] = cpus();
  const day = new Date().toISOString().slice(0, 10);
  return `Medians of ${rounds} runs, least and most in brackets; counts are ours / published, for one operation. ${day}, Node ${process.version}, ${availableParallelism()} × ${cpu?.model ?? "unknown processor"}.`;
}

function writePage(text: string): void {
  const page = readFileSync(PAGE, "utf8");
  const [before, after] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (before < 0 || after < before) throw new Error(`${PAGE} lacks the lines ${BEGIN} and ${END}`);
  writeFileSync(PAGE, `${page.slice(0, before + BEGIN.length)}\n${text}\n${page.slice(after)}`);
}

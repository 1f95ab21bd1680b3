/**
 * `node bench/git/run.ts [rounds] [operation…]`: our git beside the published one, in one workerd, in a repository of 3,500 files. Writes the
 * table into docs/performance.md, unless only some operations are asked for.
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { unstable_startWorker } from "wrangler";
import { operations } from "./operations.ts";
import { startGitServer } from "./server.ts";

interface Run {
  readonly ms: number;
  readonly statements: number;
  readonly read: number;
  readonly written: number;
}

const SYSTEMS = ["ours", "published"] as const;
const PAGE = join(import.meta.dirname, "../../docs/performance.md");
const [BEGIN, END] = ["<!-- bench/git: begin -->", "<!-- bench/git: end -->"];

process.env.WRANGLER_SEND_METRICS = "false";
process.env.CLOUDFLARE_CF_FETCH_ENABLED = "false";

const [given, ...ids] = process.argv.slice(2);
const rounds = Number(given ?? 3);
if (!Number.isInteger(rounds) || rounds < 1) throw new TypeError("usage: node bench/git/run.ts [rounds] [operation…]");
const wanted = operations.filter(({ id }) => ids.length === 0 || ids.includes(id));

const state = mkdtempSync(join(tmpdir(), "bench-git-"));
const server = await startGitServer();
const worker = await unstable_startWorker({
  config: join(import.meta.dirname, "wrangler.jsonc"),
  dev: { server: { port: 0 }, inspector: false, persist: state, logLevel: "error", watch: false },
});
try {
  await worker.ready;
  const lines: string[] = [];
  for (const { id, title } of wanted) {
    const runs: Record<(typeof SYSTEMS)[number], Run[]> = { ours: [], published: [] };
    const answers = new Set<number>();
    for (let round = 0; round < rounds; round++) {
      for (const system of round % 2 === 0 ? SYSTEMS : SYSTEMS.toReversed()) {
        const { answer, run } = await one(id, system, `${id}-${round}`);
        answers.add(answer);
        runs[system].push(run);
      }
    }
    if (answers.size !== 1) throw new Error(`${id}: the systems do not agree: ${[...answers].join(", ")}`);
    const { ours, published } = runs;
    lines.push(
      `| ${title} | ${spread(ours)} | ${spread(published)} | ${counts(ours, published, "statements")} | ${counts(ours, published, "read")} | ${counts(ours, published, "written")} |`,
    );
    console.log(lines.at(-1));
  }
  const head =
    "| operation | ours, ms | published 0.8.0, ms | statements | rows read | rows written |\n| --- | --- | --- | --- | --- | --- |";
  const text = `${head}\n${lines.join("\n")}\n\n${conditions()}`;
  if (ids.length === 0) writePage(text);
} finally {
  await worker.dispose();
  await server.close();
  rmSync(state, { recursive: true, force: true });
}

/** One run in an object of its own, prepared and restarted before. */
async function one(id: string, system: string, name: string): Promise<{ answer: number; run: Run }> {
  const ask = async (step: string): Promise<string> => {
    const query = new URLSearchParams({ system, name, url: server.url });
    const response = await worker.fetch(`http://bench/${step}?${query}`);
    const body = await response.text();
    if (!response.ok) throw new Error(`${step} of ${system}: ${body}`);
    return body;
  };
  await ask(`prepare/${id}`);
  await ask("restart");
  await ask("nothing");
  const start = performance.now();
  const body = await ask(`run/${id}`);
  const ms = performance.now() - start;
  await ask("delete");
  const { answer, rows } = JSON.parse(body) as { answer: number; rows: Omit<Run, "ms"> };
  return { answer, run: { ms, ...rows } };
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
}

function spread(runs: readonly Run[]): string {
  const ms = runs.map((run) => run.ms);
  return `${median(ms).toFixed(0)} (${Math.min(...ms).toFixed(0)}–${Math.max(...ms).toFixed(0)})`;
}

function counts(ours: readonly Run[], published: readonly Run[], key: "statements" | "read" | "written"): string {
  const of = (runs: readonly Run[]): string => median(runs.map((run) => run[key])).toLocaleString("en");
  return `${of(ours)} / ${of(published)}`;
}

function conditions(): string {
  const [cpu] = cpus();
  const day = new Date().toISOString().slice(0, 10);
  return `Medians of ${rounds} runs, least and most in brackets; counts are ours / published. ${day}, Node ${process.version}, ${availableParallelism()} × ${cpu?.model ?? "unknown processor"}.`;
}

function writePage(text: string): void {
  const page = readFileSync(PAGE, "utf8");
  const [before, after] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (before < 0 || after < before) throw new Error(`${PAGE} lacks the lines ${BEGIN} and ${END}`);
  writeFileSync(PAGE, `${page.slice(0, before + BEGIN.length)}\n${text}\n${page.slice(after)}`);
}

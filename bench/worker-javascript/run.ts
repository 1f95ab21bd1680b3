/**
 * `node bench/worker-javascript/run.ts [rounds] [script…]`: our JavaScript computer beside the published one, in one workerd. Writes the
 * table into docs/performance.md, unless only some scripts are asked for.
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { unstable_startWorker } from "wrangler";
import { type Script, scripts } from "./scripts.ts";

const DEFAULT_ROUNDS = 5;
const PAGE = join(import.meta.dirname, "../../docs/performance.md");
/** What stands between these in the page is written by this command. */
const BEGIN = "<!-- bench/worker-javascript: begin -->";
const END = "<!-- bench/worker-javascript: end -->";

const SYSTEMS = ["ours", "published"] as const;
type System = (typeof SYSTEMS)[number];

interface Answer {
  readonly exitCode: number;
  readonly stdout: number;
  readonly stderr: string;
  readonly value?: unknown;
  readonly report?: { readonly hostCalls: number; readonly roundTrips: number };
}

interface Times {
  readonly cold: number[];
  readonly warm: number[];
}

process.env.WRANGLER_SEND_METRICS = "false";
process.env.CLOUDFLARE_CF_FETCH_ENABLED = "false";

const [roundsGiven, ...ids] = process.argv.slice(2);
const rounds = Number(roundsGiven ?? DEFAULT_ROUNDS);
if (!Number.isInteger(rounds) || rounds < 1) {
  throw new TypeError("usage: node bench/worker-javascript/run.ts [rounds] [script…]");
}
const wanted = ids.length === 0 ? scripts : scripts.filter(({ id }) => ids.includes(id));

const state = mkdtempSync(join(tmpdir(), "bench-javascript-"));
const worker = await unstable_startWorker({
  config: join(import.meta.dirname, "wrangler.jsonc"),
  dev: { server: { port: 0 }, inspector: false, persist: state, logLevel: "error", watch: false },
});
try {
  await worker.ready;
  const lines: string[] = [];
  const slower: string[] = [];
  for (const script of wanted) {
    const { times, report } = await measure(script);
    for (const heat of ["cold", "warm"] as const) {
      const [ours, published] = SYSTEMS.map((system) => spread(times[system][heat])) as [Spread, Spread];
      const ratio = published.median / ours.median;
      const calls = `${report?.hostCalls ?? 0} in ${report?.roundTrips ?? 0}`;
      lines.push(`| ${script.title}, ${heat} | ${cell(ours)} | ${cell(published)} | ${ratio.toFixed(2)} | ${calls} |`);
      console.log(lines.at(-1));
      if (ratio < 1) slower.push(`${script.title}, ${heat}`);
    }
  }
  const text = [
    "| script | ms | published, ms | times faster | our host calls |\n| --- | ---: | ---: | ---: | ---: |",
    `${lines.join("\n")}\n`,
    slower.length === 0 ? "Ours is the faster in every row.\n" : `Ours is not the faster in: ${slower.join("; ")}.\n`,
    conditions(),
  ].join("\n");
  if (ids.length === 0) writePage(text);
} finally {
  await worker.dispose();
  rmSync(state, { recursive: true, force: true });
}

/** Each round has an object of its own, prepared and restarted before; its first run is the cold one, its second the warm one. */
async function measure(script: Script): Promise<{ times: Record<System, Times>; report: Answer["report"] }> {
  const times: Record<System, Times> = { ours: { cold: [], warm: [] }, published: { cold: [], warm: [] } };
  const answers = new Set<string>();
  let report: Answer["report"];
  for (let round = 0; round <= rounds; round++) {
    for (const system of round % 2 === 0 ? SYSTEMS : SYSTEMS.toReversed()) {
      const at = `${script.id}?system=${system}&name=${script.id}-${round}`;
      await ask(`prepare/${at}`);
      await ask(`restart/${at}`);
      for (const heat of ["cold", "warm"] as const) {
        const start = performance.now();
        const answer = await ask(`run/${at}`);
        const ms = performance.now() - start;
        if (answer?.exitCode !== 0) throw new Error(`${system} failed on ${script.id}: ${answer?.stderr}`);
        answers.add(JSON.stringify([answer.value, answer.stdout]));
        report = answer.report ?? report;
        // A first round, which is not counted, warms the code.
        if (round > 0) times[system][heat].push(ms);
      }
    }
  }
  if (answers.size !== 1) throw new Error(`the systems answer ${script.id} differently: ${[...answers].join(" and ")}`);
  return { times, report };
}

async function ask(path: string): Promise<Answer | undefined> {
  const response = await worker.fetch(`http://bench/${path}`);
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${text}`);
  return text === "" ? undefined : (JSON.parse(text) as Answer);
}

interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  return { median: sorted[Math.floor(sorted.length / 2)] ?? 0, least: sorted[0] ?? 0, most: sorted.at(-1) ?? 0 };
}

function cell({ median, least, most }: Spread): string {
  return `${median.toFixed(1)} (${least.toFixed(1)}–${most.toFixed(1)})`;
}

function conditions(): string {
  const [cpu] = cpus();
  const day = new Date().toISOString().slice(0, 10);
  return `Medians of ${rounds} runs, least and most in brackets, seen from the client; cold is the first run after a restart of the object. ${day}, Node ${process.version}, ${availableParallelism()} × ${cpu?.model ?? "unknown processor"}.`;
}

function writePage(text: string): void {
  const page = readFileSync(PAGE, "utf8");
  const [before, after] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (before < 0 || after < before) throw new Error(`${PAGE} lacks the lines ${BEGIN} and ${END}`);
  writeFileSync(PAGE, `${page.slice(0, before + BEGIN.length)}\n${text}\n${page.slice(after)}`);
}

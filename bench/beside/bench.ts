/** Runs the same things on our system and on the published one, in one workerd, and writes what they take into docs/performance.md. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { unstable_startWorker } from "wrangler";

const DEFAULT_ROUNDS = 5;
const PAGE = join(import.meta.dirname, "../../docs/performance.md");

const SYSTEMS = ["ours", "published"] as const;
type System = (typeof SYSTEMS)[number];
const HEATS = ["cold", "warm"] as const;
type Heat = (typeof HEATS)[number];

/** One row of the table, cold and warm. */
export interface Measurable {
  readonly id: string;
  readonly title: string;
}

/** What a run on a system came to, as its object tells it. */
export interface Answer {
  readonly exitCode: number;
  /** Both systems must give the same. */
  readonly output: unknown;
  readonly stderr: string;
  /** What ours asked of its host, for the last column. */
  readonly calls?: string;
}

export interface Bench {
  /** The folder below `bench`, which has `wrangler.jsonc`; the page has a place of this name. */
  readonly name: string;
  /** What one of them is called. */
  readonly noun: string;
  /** The heading of the last column, where there is one. */
  readonly callsTitle?: string;
  readonly cases: readonly Measurable[];
}

interface Measured {
  readonly times: Record<System, Record<Heat, number[]>>;
  readonly calls: Record<Heat, string>;
}

/**
 * Takes `[rounds] [id…]` from the command line. Each round has an object of its own for each system, prepared and restarted before; its
 * first run is the cold one, its second the warm one. The systems take turns at going first, a first round is not counted.
 */
export async function runBench({ name, noun, callsTitle, cases }: Bench): Promise<void> {
  const [roundsGiven, ...ids] = process.argv.slice(2);
  const rounds = Number(roundsGiven ?? DEFAULT_ROUNDS);
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new TypeError(`usage: node bench/${name}/run.ts [rounds] [${noun}…]`);
  const wanted = ids.length === 0 ? cases : cases.filter(({ id }) => ids.includes(id));
  process.env.WRANGLER_SEND_METRICS = "false";
  process.env.CLOUDFLARE_CF_FETCH_ENABLED = "false";
  const state = mkdtempSync(join(tmpdir(), `bench-${name}-`));
  const worker = await unstable_startWorker({
    config: join(import.meta.dirname, "..", name, "wrangler.jsonc"),
    dev: { server: { port: 0 }, inspector: false, persist: state, logLevel: "error", watch: false },
  });
  const ask = async (path: string): Promise<Answer | undefined> => {
    const response = await worker.fetch(`http://bench/${path}`);
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${text}`);
    return text === "" ? undefined : (JSON.parse(text) as Answer);
  };
  try {
    await worker.ready;
    const lines: string[] = [];
    const slower: string[] = [];
    for (const { id, title } of wanted) {
      const { times, calls } = await measure(ask, id, rounds);
      for (const heat of HEATS) {
        const [ours, published] = SYSTEMS.map((system) => spread(times[system][heat])) as [Spread, Spread];
        const ratio = published.median / ours.median;
        const cells = [`${title}, ${heat}`, cell(ours), cell(published), ratio.toFixed(2)];
        lines.push(row(callsTitle === undefined ? cells : [...cells, calls[heat]]));
        console.log(lines.at(-1));
        if (ratio < 1) slower.push(`${title}, ${heat}`);
      }
    }
    const head = [noun, "ms", "published, ms", "times faster", ...(callsTitle === undefined ? [] : [callsTitle])];
    const text = [
      row(head),
      row(head.map((_, at) => (at === 0 ? "---" : "---:"))),
      `${lines.join("\n")}\n`,
      slower.length === 0 ? "Ours is the faster in every row.\n" : `Ours is not the faster in: ${slower.join("; ")}.\n`,
      conditions(rounds),
    ].join("\n");
    if (ids.length === 0) writePage(name, text);
  } finally {
    await worker.dispose();
    rmSync(state, { recursive: true, force: true });
  }
}

async function measure(
  ask: (path: string) => Promise<Answer | undefined>,
  id: string,
  rounds: number,
): Promise<Measured> {
  const times: Measured["times"] = { ours: { cold: [], warm: [] }, published: { cold: [], warm: [] } };
  const calls: Measured["calls"] = { cold: "", warm: "" };
  const answers = new Set<string>();
  for (let round = 0; round <= rounds; round++) {
    for (const system of round % 2 === 0 ? SYSTEMS : SYSTEMS.toReversed()) {
      const at = `${id}?system=${system}&name=${id}-${round}`;
      await ask(`prepare/${at}`);
      await ask(`restart/${at}`);
      for (const heat of HEATS) {
        const start = performance.now();
        const answer = await ask(`run/${at}`);
        const ms = performance.now() - start;
        if (answer?.exitCode !== 0) throw new Error(`${system} failed on ${id}: ${answer?.stderr}`);
        answers.add(JSON.stringify(answer.output));
        if (answer.calls !== undefined) calls[heat] = answer.calls;
        if (round > 0) times[system][heat].push(ms);
      }
    }
  }
  if (answers.size !== 1) throw new Error(`the systems answer ${id} differently: ${[...answers].join(" and ")}`);
  return { times, calls };
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

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function conditions(rounds: number): string {
  const [cpu] = cpus();
  const day = new Date().toISOString().slice(0, 10);
  const load = (loadavg()[1] ?? 0).toFixed(1);
  return `Medians of ${rounds} runs, least and most in brackets, seen from the client; cold is the first run after a restart of the object. ${day}, Node ${process.version}, ${availableParallelism()} × ${cpu?.model ?? "unknown processor"}, load ${load}.`;
}

/** What stands between the two marks in the page is written by this. */
function writePage(name: string, text: string): void {
  const [begin, end] = [`<!-- bench/${name}: begin -->`, `<!-- bench/${name}: end -->`];
  const page = readFileSync(PAGE, "utf8");
  const [before, after] = [page.indexOf(begin), page.indexOf(end)];
  if (before < 0 || after < before) throw new Error(`${PAGE} lacks the lines ${begin} and ${end}`);
  writeFileSync(PAGE, `${page.slice(0, before + begin.length)}\n${text}\n${page.slice(after)}`);
}

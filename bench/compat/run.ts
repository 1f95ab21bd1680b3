/**
 * `node bench/compat/run.ts`: the programs on the published package and on ours, in one workerd. Writes what differs into
 * docs/compatibility.md, and fails where a difference is not explained in differences.ts or an explained one is gone.
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { unstable_startWorker } from "wrangler";
import { differences } from "./differences.ts";
import type { Transcript } from "./program.ts";
import { programs } from "./programs/index.ts";

const PAGE = join(import.meta.dirname, "../../docs/compatibility.md");
/** What stands between these in the page is written by this command. */
const BEGIN = "<!-- bench/compat: begin -->";
const END = "<!-- bench/compat: end -->";

process.env.WRANGLER_SEND_METRICS = "false";
process.env.CLOUDFLARE_CF_FETCH_ENABLED = "false";

const state = mkdtempSync(join(tmpdir(), "bench-compat-"));
const worker = await unstable_startWorker({
  config: join(import.meta.dirname, "wrangler.jsonc"),
  dev: { server: { port: 0 }, inspector: false, persist: state, logLevel: "error", watch: false },
});
const faults: string[] = [];
const lines: string[] = ["| program | steps | the same |", "| --- | ---: | ---: |"];
try {
  await worker.ready;
  for (const { id, title } of programs) {
    const [ours, published] = [await transcript("ours", id), await transcript("published", id)];
    const steps = Object.keys({ ...published, ...ours });
    const differing = steps.filter((step) => !isDeepStrictEqual(ours[step], published[step]));
    lines.push(`| ${title} | ${steps.length} | ${steps.length - differing.length} |`);
    const explained = new Set((differences[id] ?? []).flatMap(({ steps }) => steps));
    for (const step of differing) {
      if (explained.delete(step)) continue;
      faults.push(`${id}: “${step}” differs\n  ours       ${said(ours[step])}\n  published  ${said(published[step])}`);
    }
    for (const step of explained) faults.push(`${id}: “${step}” is said to differ, and does not`);
  }
} finally {
  await worker.dispose();
  rmSync(state, { recursive: true, force: true });
}
const list = programs.flatMap(({ id }) =>
  (differences[id] ?? []).map(
    ({ steps, why }) => `- \`${id}\`, ${steps.map((step) => `“${step}”`).join(", ")}: ${why}`,
  ),
);
const text = [...lines, "", ...list].join("\n");
console.log(text);
if (faults.length === 0) writePage(text);
else {
  console.error(`\n${faults.join("\n")}`);
  process.exitCode = 1;
}

async function transcript(system: string, program: string): Promise<Transcript> {
  const response = await worker.fetch(`http://bench/${system}/${program}`);
  const body = await response.text();
  if (response.ok) return JSON.parse(body) as Transcript;
  throw new Error(`${program} does not run on ${system}: ${body.slice(0, 2000)}`);
}

function said(value: unknown): string {
  const json = JSON.stringify(value) ?? "nothing";
  return json.length > 600 ? `${json.slice(0, 600)}…` : json;
}

function writePage(text: string): void {
  const page = readFileSync(PAGE, "utf8");
  const [before, after] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (before < 0 || after < before) throw new Error(`${PAGE} lacks the lines ${BEGIN} and ${END}`);
  writeFileSync(PAGE, `${page.slice(0, before + BEGIN.length)}\n${text}\n${page.slice(after)}`);
}

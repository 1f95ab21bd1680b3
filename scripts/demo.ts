/**
 * `npm run demo`: makes a PDF the whole way through, on this machine: Worker, Durable Object, Linux computer, and back;
 * and an image of a prompt, which needs no computer.
 *
 * `npm run demo -- my.md` does it for a Markdown file of yours, with the images that lie beside it. With `--docker` the computer is a
 * container, as on Cloudflare.
 */

import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import { liveProcesses, stopProcesses } from "./background-process.ts";
import { ROOT } from "./checkout.ts";
import { imageContents, needDocker } from "./docker.ts";
import { documentTools } from "./document-tools.ts";
import { type DevServer, startDevServer, startHost } from "./local-stack.ts";
import { collectMarkdown } from "./markdown-images.ts";
import { missingNeeds } from "./system-needs.ts";

interface PdfAnswer {
  readonly pdf: string;
  readonly bytes: number;
  readonly warnings: string;
  readonly sync: {
    readonly pushed: number;
    readonly pulled: number;
    readonly status: string;
    readonly mount: "fuse" | "files" | null;
  };
  readonly ms: Readonly<Record<string, number>>;
}

interface ImageAnswer {
  readonly image: string;
  readonly note: string;
}

const PROMPT = "a robot and a black cat beside a white lighthouse, with a red boat at dusk";

const stages: { name: string; ms: number }[] = [];
const state = mkdtempSync(join(tmpdir(), "computer-demo-"));

let interrupted = false;

for (const [name, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const) {
  process.once(name, async () => {
    interrupted = true;
    console.error("\n[demo] stopping ...");
    await stopAll();
    process.exit(code);
  });
}

try {
  await demo(process.argv.slice(2));
} catch (error) {
  if (!interrupted) report(error);
} finally {
  if (!interrupted) await stopAll();
}

async function demo(args: string[]): Promise<void> {
  const files = args.filter((arg) => arg !== "--docker");
  const { name, body } = askedFor(files);
  const server = files.length < args.length ? await withDocker() : await withHost();
  const answer = await stage("make the PDF", () => ask<PdfAnswer>(`${server.url}/pdf`, body));
  for (const [part, ms] of Object.entries(answer.ms)) console.log(`         ${part}: ${seconds(ms)}`);
  console.log(`         files pushed ${answer.sync.pushed}, pulled ${answer.sync.pulled}, sync ${answer.sync.status}`);
  console.log(`         the computer saw them ${answer.sync.mount === "files" ? "as real files" : "through a mount"}`);
  if (answer.warnings.trim() !== "") console.log(`[demo] pandoc warned:\n${answer.warnings.trimEnd()}`);
  const file = join(ROOT, "out", `${name}.pdf`);
  await stage("fetch it by its link", () => save(answer.pdf, "application/pdf", file));
  const image = files.length === 0 ? await makeImage(server.url) : undefined;
  await stage("stop everything", stopAll);

  const total = stages.reduce((sum, { ms }) => sum + ms, 0);
  console.log("");
  for (const { name, ms } of [...stages, { name: "together", ms: total }])
    console.log(`${seconds(ms).padStart(9)}  ${name}`);
  console.log(`\nThe PDF: ${seen(file)}`);
  if (image !== undefined) console.log(`The image: ${seen(image)}`);
}

async function withHost(): Promise<DevServer> {
  const needs = missingNeeds();
  if (needs.length > 0) throw new Error(`this machine cannot run a computer yet:\n  ${needs.join("\n  ")}`);
  const tools = await stage("pandoc and typst", documentTools);
  const host = await stage("start the host of the computers", () => startHost({ tools }));
  return stage("start the dev server", () => startDevServer({ host, state }));
}

async function withDocker(): Promise<DevServer> {
  needDocker();
  await stage("make what the image is built of", () => imageContents((line) => console.log(`         ${line}`)));
  return stage("build the image, start the dev server", () => startDevServer({ docker: true, state }));
}

/** Has the image made, and saves it; gives the file. */
async function makeImage(url: string): Promise<string> {
  const body = JSON.stringify({ prompt: PROMPT });
  const { image, note } = await stage("make the image", () => ask<ImageAnswer>(`${url}/image`, body));
  console.log(`         “${PROMPT}”`);
  console.log(`         ${note}`);
  const file = join(ROOT, "out", "image.png");
  await stage("fetch it by its link", () => save(image, "image/png", file));
  return file;
}

async function save(link: string, type: string, file: string): Promise<void> {
  const response = await fetch(link);
  if (!response.ok) throw new Error(`${link} answered ${response.status}`);
  const said = response.headers.get("content-type");
  if (said !== type) throw new Error(`${link} is ${said} instead of ${type}`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, new Uint8Array(await response.arrayBuffer()));
}

function seen(file: string): string {
  return `${relative(process.env.INIT_CWD ?? process.cwd(), file)} (${statSync(file).size} bytes)`;
}

/** The request's body, and what the PDF is to be called. */
function askedFor(args: string[]): { name: string; body: string } {
  if (args.length > 1) throw new Error("give one Markdown file: npm run demo -- my.md");
  const [given] = args;
  if (given === undefined) return { name: "computer", body: JSON.stringify({ topic: "computer" }) };
  const file = givenFile(given);
  const { markdown, images, missing } = collectMarkdown(file);
  for (const path of missing) console.log(`[demo] ${basename(file)} shows ${path}, which is no file there`);
  console.log(`[demo] ${basename(file)}: ${markdown.length} characters, ${images.length} images`);
  return { name: basename(file, extname(file)), body: JSON.stringify({ markdown, images, options: ["--from=gfm"] }) };
}

/** The file that the user named, from where they are: npm runs scripts at the root of the checkout. */
function givenFile(given: string): string {
  if (given === "") throw new Error("the file's name is empty; give one Markdown file: npm run demo -- my.md");
  if (given.startsWith("-"))
    throw new Error(
      `there is no option ${given}; a file of that name is given as ./${given}: npm run demo -- ./${given}`,
    );
  const file = resolve(process.env.INIT_CWD ?? process.cwd(), given);
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) throw new Error(`there is no file ${file}`);
  if (found.isDirectory()) throw new Error(`${file} is a directory; give one Markdown file in it`);
  if (!found.isFile()) throw new Error(`${file} is no regular file; give one Markdown file`);
  return file;
}

async function ask<T>(url: string, body: string): Promise<T> {
  const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
  const text = await response.text();
  if (response.ok) return JSON.parse(text) as T;
  throw new Error(`the Worker answered ${response.status}: ${reasonOf(text)}`);
}

/** Of an answer that is a refusal, what a reader wants to know first. */
function reasonOf(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error: { message: string; stderr?: string } };
    return [error.message, error.stderr].filter(Boolean).join("\n");
  } catch {
    return text.slice(0, 2000);
  }
}

async function stage<T>(name: string, run: () => Promise<T>): Promise<T> {
  console.log(`[demo] ${name} ...`);
  const started = performance.now();
  const result = await run();
  stages.push({ name, ms: performance.now() - started });
  return result;
}

async function stopAll(): Promise<void> {
  await stopProcesses();
  rmSync(state, { recursive: true, force: true });
}

function report(error: unknown): void {
  console.error(`\n[demo] failed: ${error instanceof Error ? error.message : error}`);
  for (const part of liveProcesses()) console.error(`\nThe end of what ${part.title} said:\n${part.tail()}`);
  process.exitCode = 1;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

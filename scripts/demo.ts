/**
 * `npm run demo`: an agent makes a PDF, an image is made of a prompt, and an agent writes a Worker and publishes it, all on this machine.
 * What they made is saved under `out`, and the published Worker is cloned, run and asked.
 *
 * `npm run demo -- my.md` makes a PDF of a Markdown file of yours, with the images that lie beside it, and nothing else. With `--docker`
 * the computer is a container, as on Cloudflare; its image has no tools for building Workers, so none is published.
 */

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import { watchAgent } from "./agent-progress.ts";
import { liveProcesses, stopProcesses } from "./background-process.ts";
import { ROOT } from "./checkout.ts";
import { imageContents, needDocker } from "./docker.ts";
import { documentTools } from "./document-tools.ts";
import { type DevServer, startDevServer, startHost } from "./local-stack.ts";
import { collectMarkdown } from "./markdown-images.ts";
import { projectTools } from "./project-tools.ts";
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

const CARD_PROMPT = "a card about what a computer is to an agent";
const PROJECT_PROMPT = "a Worker that writes numbers as the Romans did";
const IMAGE_PROMPT = "a robot and a black cat beside a white lighthouse, with a red boat at dusk";

const OUT = join(ROOT, "out");
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
  const asked = askedFor(files);
  const docker = files.length < args.length;
  const server = docker ? await withDocker() : await withHost();
  const made: string[] = [];
  if (asked !== undefined) made.push(`The PDF: ${seen(await makePdf(server.url, asked))}`);
  else {
    made.push(`The PDF: ${seen(await makeCard(server.url))}`);
    made.push(`The image: ${seen(await makeImage(server.url))}`);
    if (!docker) made.push(`The Worker: ${await publishWorker(server.url)}`);
  }
  await stage("stop everything", stopAll);

  const total = stages.reduce((sum, { ms }) => sum + ms, 0);
  console.log("");
  for (const { name, ms } of [...stages, { name: "together", ms: total }])
    console.log(`${seconds(ms).padStart(9)}  ${name}`);
  console.log(`\n${made.join("\n")}`);
}

async function withHost(): Promise<DevServer> {
  const needs = missingNeeds();
  if (needs.length > 0) throw new Error(`this machine cannot run a computer yet:\n  ${needs.join("\n  ")}`);
  const tools = await stage("pandoc and typst", documentTools);
  const host = await stage("start the host of the computers", () => startHost({ tools: [...tools, projectTools()] }));
  return stage("start the dev server", () => startDevServer({ host, state }));
}

async function withDocker(): Promise<DevServer> {
  needDocker();
  await stage("make what the image is built of", () => imageContents((line) => console.log(`         ${line}`)));
  return stage("build the image, start the dev server", () => startDevServer({ docker: true, state }));
}

/** Has a PDF made of the user's Markdown; gives the file. */
async function makePdf(url: string, { name, body }: Asked): Promise<string> {
  const answer = await stage("make the PDF", () => ask<PdfAnswer>(`${url}/pdf`, body));
  for (const [part, ms] of Object.entries(answer.ms)) console.log(`         ${part}: ${seconds(ms)}`);
  console.log(`         files pushed ${answer.sync.pushed}, pulled ${answer.sync.pulled}, sync ${answer.sync.status}`);
  console.log(`         the computer saw them ${answer.sync.mount === "files" ? "as real files" : "through a mount"}`);
  if (answer.warnings.trim() !== "") console.log(`[demo] pandoc warned:\n${answer.warnings.trimEnd()}`);
  const file = join(OUT, `${name}.pdf`);
  await stage("fetch it by its link", () => save(answer.pdf, "application/pdf", file));
  return file;
}

/** Has an agent write a card and make its PDF; gives the file. */
async function makeCard(url: string): Promise<string> {
  await stage("an agent makes a PDF", () => watchAgent(`${url}/card`, CARD_PROMPT, "card"));
  const file = join(OUT, "computer.pdf");
  await stage("fetch it by its link", () => save(`${url}/files/demo/card.pdf`, "application/pdf", file));
  return file;
}

/** Has the image made; gives the file. */
async function makeImage(url: string): Promise<string> {
  const body = JSON.stringify({ prompt: IMAGE_PROMPT });
  const { image, note } = await stage("make an image", () => ask<ImageAnswer>(`${url}/image`, body));
  console.log(`         “${IMAGE_PROMPT}”`);
  console.log(`         ${note}`);
  const file = join(OUT, "image.png");
  await stage("fetch it by its signed link", () => save(image, "image/png", file));
  return file;
}

/** Has an agent write, build and publish a Worker, clones it, and runs the clone; says where it is and what it answered. */
async function publishWorker(url: string): Promise<string> {
  const { clone } = await stage("an agent builds and publishes a Worker", () =>
    watchAgent<{ clone: string }>(`${url}/project`, PROJECT_PROMPT, "repository"),
  );
  const folder = join(OUT, "site");
  await stage("clone it with git", async () => {
    rmSync(folder, { recursive: true, force: true });
    execFileSync("git", ["clone", "-q", clone, folder], { stdio: ["ignore", "inherit", "inherit"] });
  });
  const path = "/1994";
  const answer = await stage("run the clone and ask it", async () => {
    const site = await startDevServer({ state: join(state, "site"), config: join(folder, "wrangler.jsonc") });
    const response = await fetch(site.url + path);
    if (!response.ok) throw new Error(`the published Worker answered ${response.status} to ${path}`);
    return (await response.text()).trim();
  });
  return `${fromHere(folder)}, which answers ${path} with ${answer}`;
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
  return `${fromHere(file)} (${statSync(file).size} bytes)`;
}

function fromHere(path: string): string {
  return relative(process.env.INIT_CWD ?? process.cwd(), path);
}

/** What a PDF is to be called, and the body of the request for it. */
interface Asked {
  readonly name: string;
  readonly body: string;
}

/** Of the file that the user gave; undefined without one. */
function askedFor(args: string[]): Asked | undefined {
  if (args.length > 1) throw new Error("give one Markdown file: npm run demo -- my.md");
  const [given] = args;
  if (given === undefined) return undefined;
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

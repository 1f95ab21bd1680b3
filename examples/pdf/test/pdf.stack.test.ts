/** The whole way through: HTTP → Durable Object → mounted files on a Linux computer → pandoc → back, and out by a link. */

import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readEvents } from "example-agent-loop/read-events";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { documentTools } from "../../../scripts/document-tools.ts";
import { type DevServer, type LocalHost, startDevServer, startHost } from "../../../scripts/local-stack.ts";
import { TOPICS } from "../src/topics.ts";
import { headings, letters, pdfImages, pdfText } from "./read-pdf.ts";

interface Answer {
  readonly pdf: string;
  readonly markdown: string;
  readonly bytes: number;
  readonly sync: { readonly pushed: number; readonly pulled: number; readonly status: string };
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly exitCode?: number;
    readonly stderr?: string;
  };
}

const ROOT = join(import.meta.dirname, "..", "..", "..");
/** One red pixel. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";

const state = mkdtempSync(join(tmpdir(), "pdf-test-"));
let tools: string[];
let host: LocalHost;
let server: DevServer;

beforeAll(async () => {
  tools = await documentTools();
  host = await startHost({ tools });
  server = await startDevServer({ host, state });
});

afterAll(async () => {
  await server?.process.stop();
  await host?.process.stop();
  rmSync(state, { recursive: true, force: true });
});

async function post(workspace: string, request: object): Promise<{ status: number; answer: Answer }> {
  const response = await fetch(`${server.url}/pdf?workspace=${workspace}`, {
    method: "POST",
    body: JSON.stringify(request),
  });
  const text = await response.text();
  try {
    return { status: response.status, answer: JSON.parse(text) };
  } catch {
    throw new Error(`${response.status}: ${text}\n${server.process.tail()}`);
  }
}

async function make(workspace: string, request: object): Promise<Answer> {
  const { status, answer } = await post(workspace, request);
  expect(status, JSON.stringify(answer)).toBe(200);
  return answer;
}

async function bytesOf(link: string): Promise<Uint8Array> {
  // Its path only: the server may have moved to another port.
  const response = await fetch(server.url + new URL(link).pathname);
  expect(response.status).toBe(200);
  return new Uint8Array(await response.arrayBuffer());
}

/** Ids of a process's children: of a host, the daemons of its computers. */
function childrenOf(pid: number): number[] {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`).map((task) => `/proc/${pid}/task/${task}/children`);
    return tasks.flatMap((file) => readFileSync(file, "utf8").split(" ").filter(Boolean).map(Number));
  } catch {
    return [];
  }
}

/** Whether a process has a descendant whose command line holds the word. */
function runs(pid: number, word: string): boolean {
  return childrenOf(pid).some((child) => {
    try {
      return readFileSync(`/proc/${child}/cmdline`, "utf8").includes(word) || runs(child, word);
    } catch {
      return false;
    }
  });
}

test.each(Object.keys(TOPICS))(
  "the built-in topic %s becomes a PDF with its title and every section",
  async (topic) => {
    const answer = await make(`topic-${topic}`, { topic });
    // The text with its folder; the PDF with its folder, and the name it had until it was whole.
    expect(answer.sync).toMatchObject({ pushed: 2, pulled: 3, status: "complete" });
    const pdf = await bytesOf(answer.pdf);
    expect(pdf.length).toBe(answer.bytes);
    const text = letters(pdfText(pdf));
    expect(text).toContain(letters(TOPICS[topic]!.title));
    const sections = headings(TOPICS[topic]!.markdown);
    expect(sections).toHaveLength(3);
    for (const section of sections) expect(text).toContain(letters(section));
  },
);

test("an agent writes a card with its tools and makes the PDF in the Linux computer, and says who plays the model", async () => {
  const response = await fetch(`${server.url}/card?workspace=agent`, {
    method: "POST",
    body: JSON.stringify({ prompt: "A card about coffee, please" }),
  });
  const events: { event: string; data: Record<string, unknown> }[] = [];
  for await (const { event, data } of readEvents(response))
    events.push({ event, data: data as (typeof events)[0]["data"] });
  expect(events[0]).toMatchObject({
    event: "model",
    data: { name: "scripted", note: expect.stringContaining("script") },
  });
  expect(events.filter(({ event }) => event === "call").map(({ data }) => data.tool)).toEqual([
    "write",
    "exec",
    "find",
  ]);
  expect(events.filter(({ event }) => event === "result").map(({ data }) => data.ok)).toEqual([true, true, true]);
  const said = events.map(({ event, data }) => (event === "text" ? data.text : "")).join("");
  expect(said).toContain(`“${TOPICS.coffee!.title}” is set: /workspace/card.pdf`);
  const pdf = await bytesOf(`${server.url}/files/agent/card.pdf`);
  expect(events.at(-1)).toEqual({ event: "card", data: { path: "card.pdf", bytes: pdf.length } });
  const text = letters(pdfText(pdf));
  for (const section of headings(TOPICS.coffee!.markdown)) expect(text).toContain(letters(section));
  const refused = await fetch(`${server.url}/card`, { method: "POST", body: '{"prompt": " "}' });
  expect(refused.status).toBe(400);
});

test("a title, an image and options of pandoc's reach the PDF", async () => {
  const answer = await make("options", {
    title: "Of \"$(touch /workspace/owned)\" and 'quotes'",
    markdown: "## First\n\n![red](img/dot.png)\n\n## Second\n",
    images: [{ path: "img/dot.png", base64: PNG }],
    options: ["--toc", "-V", "toc-title=In $(touch /workspace/owned) here", "--metadata", "author=Ærøskøbing"],
  });
  const pdf = await bytesOf(answer.pdf);
  expect(pdfImages(pdf)).toBe(1);
  const text = letters(pdfText(pdf));
  expect(text).toContain(letters('Of "$(touch /workspace/owned)" and quotes'));
  expect(text).toContain("Ærøskøbing");
  expect(text.split("Second")).toHaveLength(3);
  expect((await fetch(`${server.url}/files/options/owned`)).status).toBe(404);
});

test.each([
  ["isomorphic-git", "packages/dofs/node_modules/isomorphic-git/README.md", 65_000],
  ["fast-check", "node_modules/fast-check/README.md", 40_000],
  ["re2js", "packages/dofs/node_modules/re2js/README.md", 35_000],
])("the README of %s becomes a PDF with every section", async (name, file, least) => {
  const markdown = readFileSync(join(ROOT, file), "utf8");
  expect(markdown.length).toBeGreaterThan(least);
  expect(markdown).toMatch(/^\|.*\|/m);
  expect(markdown).toContain("```");
  expect(markdown).toMatch(/[^\0-\x7f]/);
  const answer = await make(name, { markdown, options: ["--from=gfm"] });
  const text = letters(pdfText(await bytesOf(answer.pdf)));
  const sections = headings(markdown);
  expect(sections.length).toBeGreaterThan(5);
  expect(sections.filter((section) => !text.includes(letters(section)))).toEqual([]);
});

test("a failing pandoc gives its exit code and what it said, and nothing is lost", async () => {
  const before = await make("failing", { title: "Kept", markdown: "## Here" });
  const kept = await bytesOf(before.pdf);

  const badOption = await post("failing", { markdown: "## Next", options: ["--no-such-option"] });
  expect(badOption.status).toBe(422);
  expect(badOption.answer.error).toMatchObject({ code: "pandoc_failed", exitCode: 6 });
  expect(badOption.answer.error!.stderr).toContain("--no-such-option");

  const badFile = await post("failing", { markdown: "## Next", options: ["missing.md"] });
  expect(badFile.status).toBe(422);
  expect(badFile.answer.error!.exitCode).not.toBe(0);
  expect(badFile.answer.error!.stderr).toContain("missing.md");

  expect(await bytesOf(before.pdf)).toEqual(kept);
  expect(new TextDecoder().decode(await bytesOf(before.markdown))).toBe("## Next");
  expect(letters(pdfText(await bytesOf((await make("failing", { markdown: "## After" })).pdf)))).toContain("After");
});

test("options that ask for something else than the PDF are told, and the last PDF is still there", async () => {
  const before = await make("elsewhere", { markdown: "## Kept" });
  const kept = await bytesOf(before.pdf);
  for (const options of [["-o", "other.pdf"], ["--version"], ["-o", "dot.png/other.pdf"]]) {
    const { status, answer } = await post("elsewhere", { markdown: "## Next", options });
    expect(status).toBe(422);
    expect(answer.error!.message).toContain("pandoc wrote no PDF");
  }
  expect(await bytesOf(before.pdf)).toEqual(kept);
  // The last of them has left a directory where the next card's image goes.
  const image = { path: "dot.png", base64: PNG };
  const next = await make("elsewhere", { markdown: "![](dot.png)", images: [image] });
  expect(pdfImages(await bytesOf(next.pdf))).toBe(1);
});

test("an image under the text is refused, and the workspace works on", async () => {
  const image = { path: "card.md/a.png", base64: "" };
  expect((await post("reserved", { markdown: "x", images: [image] })).status).toBe(400);
  expect((await make("reserved", { markdown: "## After" })).sync).toMatchObject({
    pushed: 2,
    pulled: 3,
    status: "complete",
  });
});

test("the PDF is made through the mount: with the daemon killed the job fails and says so, and the next one works", async () => {
  const others = childrenOf(host.process.pid);
  await make("killed", { markdown: "## Before" });
  const daemons = childrenOf(host.process.pid).filter((pid) => !others.includes(pid));
  expect(daemons).toHaveLength(1);

  // Long enough that pandoc is at it for a while.
  const long = post("killed", { markdown: "Some *words* of `code`.\n\n".repeat(60_000) });
  await vi.waitFor(() => expect(runs(daemons[0]!, "pandoc.mjs")).toBe(true), { timeout: 30_000 });
  process.kill(daemons[0]!, "SIGKILL");
  const { status, answer } = await long;
  expect(status).toBe(502);
  expect(answer.error!.code).toBe("computer_failed");
  expect(answer.error!.message).toMatch(/may have (been )?started/);

  const after = await make("killed", { title: "Again", markdown: "## After" });
  expect(letters(pdfText(await bytesOf(after.pdf)))).toContain("After");
});

test("a restarted dev server still has the files, and a second run pushes only what changed", async () => {
  const image = { path: "dot.png", base64: PNG };
  const first = await make("restarted", { markdown: "## One\n\n![](dot.png)", images: [image] });
  expect(first.sync).toMatchObject({ pushed: 3, pulled: 3, status: "complete" });
  const pdf = await bytesOf(first.pdf);

  await server.process.stop();
  server = await startDevServer({ host, state });
  expect(await bytesOf(first.pdf)).toEqual(pdf);
  const second = await make("restarted", { markdown: "## Two\n\n![](dot.png)" });
  expect(second.sync).toMatchObject({ pushed: 1, status: "complete" });
});

test("with server and host restarted the files are there, and the mount is built from them", async () => {
  const image = { path: "dot.png", base64: PNG };
  const first = await make("rebuilt", { markdown: "## One", images: [image] });
  const pdf = await bytesOf(first.pdf);

  await server.process.stop();
  await host.process.stop();
  host = await startHost({ tools });
  server = await startDevServer({ host, state });
  expect(await bytesOf(first.pdf)).toEqual(pdf);
  // The image is not sent again: it must come out of the Durable Object.
  const second = await make("rebuilt", { markdown: "## Two\n\n![](dot.png)" });
  expect(second.sync.status).toBe("complete");
  const rebuilt = await bytesOf(second.pdf);
  expect(pdfImages(rebuilt)).toBe(1);
  expect(letters(pdfText(rebuilt))).toContain("Two");
});

test("two cards at once for one workspace each get their own counts, and the later one's PDF stays", async () => {
  const [one, two] = await Promise.all(["One", "Two"].map((text) => make("busy", { markdown: `## ${text}` })));
  expect([one!.sync.status, two!.sync.status]).toEqual(["complete", "complete"]);
  const text = letters(pdfText(await bytesOf(two!.pdf)));
  expect(["One", "Two"]).toContain(text.replaceAll(/\d/g, ""));
});

test("files are served with their type, and nothing else is", async () => {
  await make("served", { title: "Served", markdown: "## Here" });
  const get = (path: string) => fetch(`${server.url}/files/served/${path}`);
  expect((await get("card.pdf")).headers.get("content-type")).toBe("application/pdf");
  expect((await get("card.md")).headers.get("content-type")).toBe("text/markdown; charset=utf-8");
  const tricks = [
    "none.pdf",
    "card.pdf/",
    "card.pdf/x",
    "%2e%2e/workspace/card.pdf",
    "..%2f..%2fworkspace%2fcard.pdf",
    "a%00b",
    "%ff",
    ".",
  ];
  for (const path of tricks) expect((await get(path)).status, path).toBe(404);
  expect((await fetch(`${server.url}/files/NOT_A_NAME/card.pdf`)).status).toBe(400);
  const head = await fetch(`${server.url}/files/served/card.pdf`, { method: "HEAD" });
  expect(head.status).toBe(200);
  expect(head.headers.get("content-type")).toBe("application/pdf");
  expect(Number(head.headers.get("content-length"))).toBe((await (await get("card.pdf")).bytes()).length);
  for (const [method, path, allow] of [
    ["GET", "pdf", "POST"],
    ["DELETE", "files/served/card.pdf", "GET, HEAD"],
    ["POST", "", "GET, HEAD"],
  ] as const) {
    const refused = await fetch(`${server.url}/${path}`, { method });
    expect(refused.status, path).toBe(405);
    expect(refused.headers.get("allow")).toBe(allow);
  }
  expect((await post("served", { markdown: "" })).status).toBe(400);
  expect((await fetch(`${server.url}/pdf`, { method: "POST", body: "x".repeat(25 * 1024 * 1024) })).status).toBe(413);
});

test("npm run demo makes a PDF of a file with its image, and says where it is", () => {
  const folder = mkdtempSync(join(tmpdir(), "demo test "));
  try {
    execFileSync("sh", ["-c", `mkdir img && printf '%s' "${PNG}" | base64 -d >img/dot.png`], { cwd: folder });
    execFileSync("sh", ["-c", "printf '# My café\\n\\n![dot](img/dot.png)\\n- one\\n- two\\n' >'my notes.md'"], {
      cwd: folder,
    });
    const said = execFileSync("npm", ["run", "demo", "--prefix", ROOT, "--", "my notes.md"], {
      cwd: folder,
      encoding: "utf8",
    });
    expect(said).toContain("1 images");
    expect(said).toMatch(/\d\.\d\d s {2}make the PDF/);
    const made = readFileSync(join(ROOT, "out", "my notes.pdf"));
    expect(said).toContain(`my notes.pdf (${made.length} bytes)`);
    expect(letters(pdfText(made))).toContain("Mycafé");
    expect(pdfImages(made)).toBe(1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    rmSync(join(ROOT, "out", "my notes.pdf"), { force: true });
  }
});

/** The agent: a Durable Object with a workspace, and a Linux computer that works on it. */

import { DurableObject } from "cloudflare:workers";
import { getWorkspace, sh, withWorkspace } from "@cloudflare/computer";
import { ContainerBackend, computerdHost, withWorkspaceContainer } from "@cloudflare/computer/backends/container";
import { eventStream } from "example-agent-loop";
import { type Card, codeLength, FRESH_PDF, PDF, TEXT } from "./card.ts";
import type { Env } from "./env.ts";
import { writeCard } from "./write-card.ts";

const FOLDER = "/workspace";
const TIMEOUT_MS = 120_000;
/** Not one of pandoc's exit codes: it ended well and wrote no PDF, as with `--version` or an `--output` of its own. */
const NO_PDF = 200;
/** Colouring takes long: over this many characters of code there is none, unless the options ask for it. */
const MAX_COLOURED_CODE = 100_000;

/** What became of a card. */
export interface CardOutcome {
  /** Why there is no new PDF; null where there is one. */
  readonly failure: string | null;
  readonly exitCode: number;
  readonly stderr: string;
  /** The PDF's size in bytes; null where it failed. */
  readonly pdfBytes: number | null;
  /** Paths that went to the computer before the command, and came back after it; and whether it saw them by a mount or as real files. */
  readonly sync: {
    readonly pushed: number;
    readonly pulled: number;
    readonly status: "complete";
    readonly mount: "fuse" | "files" | null;
  };
  /** Milliseconds that each stage took. */
  readonly ms: { readonly write: number; readonly run: number };
}

export class Agent extends withWorkspace(withWorkspaceContainer(DurableObject<Env>), (agent) => ({
  storage: agent.ctx.storage,
  backends: [
    new ContainerBackend({
      workspace: { binding: "AGENT", id: agent.ctx.id.toString() },
      // A computer of a host where one is named, the object's own container otherwise.
      container: () => {
        const { COMPUTER_HOST_URL: url, COMPUTER_HOST_TOKEN: token } = agent.env;
        return url === "" ? agent : computerdHost({ url, token, id: agent.ctx.id.toString() });
      },
    }),
  ],
})) {
  #last: Promise<unknown> = Promise.resolve();

  /** Writes the card's files and makes `card.pdf` of them. One card after another: they share a folder. */
  makePdf(card: Card): Promise<CardOutcome> {
    return this.#inLine(() => this.#makePdf(card));
  }

  /** Has a model write the card that the prompt asks for, and make its PDF, with a computer of its own; the events of `writeCard`. */
  writeCard(prompt: string): ReadableStream<Uint8Array> {
    return eventStream((say, signal) =>
      this.#inLine(async () => {
        signal.throwIfAborted();
        using workspace = getWorkspace(this);
        await writeCard({ workspace, ai: this.env.AI, prompt, signal }, say);
      }),
    );
  }

  #inLine<T>(make: () => Promise<T>): Promise<T> {
    const next = this.#last.then(make);
    this.#last = next.catch(() => {});
    return next;
  }

  async #makePdf(card: Card): Promise<CardOutcome> {
    using workspace = getWorkspace(this);
    const started = Date.now();
    for (const { path, content } of card.files) {
      await makeRoom(workspace, path);
      await workspace.fs.writeFile(`${FOLDER}/${path}`, content);
    }
    await makeRoom(workspace, PDF);
    const written = Date.now();
    const colours = codeLength(card) > MAX_COLOURED_CODE ? ["--syntax-highlighting=none"] : [];
    const words = ["pandoc", TEXT, "-o", FRESH_PDF, "--pdf-engine=typst", ...colours, ...card.options];
    const command = sh`rm -rf ${FRESH_PDF} && ${words} && { [ -f ${FRESH_PDF} ] || exit ${NO_PDF}; } && mv ${FRESH_PDF} ${PDF}`;
    using run = await workspace.runtime.exec(command, { cwd: FOLDER, encoding: "utf8", timeoutMs: TIMEOUT_MS });
    const { status, exitCode, stderr, pushed, pulled, sync } = await run.result();
    if (sync.status === "pending") {
      throw new Error(
        `pandoc has run, but what it wrote has not come back yet: ${sync.error ?? "the computer is not reached"}`,
      );
    }
    const pdf = exitCode === 0 ? await workspace.fs.stat(`${FOLDER}/${PDF}`) : null;
    return {
      failure: failureOf(status, exitCode),
      exitCode,
      stderr,
      pdfBytes: pdf?.size ?? null,
      sync: { pushed, pulled, status: sync.status, mount: sync.mount ?? null },
      ms: { write: written - started, run: Date.now() - written },
    };
  }
}

function failureOf(status: string, exitCode: number): string | null {
  if (exitCode === 0) return null;
  if (status === "cancelled" && exitCode === 124) return `pandoc took longer than ${TIMEOUT_MS / 1000} s and was ended`;
  if (exitCode === NO_PDF)
    return "pandoc wrote no PDF: leave out options that ask for something else, such as --output";
  return `pandoc ended with exit code ${exitCode}`;
}

/** Makes the folders of a file, and removes what an earlier card left in its way. */
async function makeRoom({ fs }: ReturnType<typeof getWorkspace>, path: string): Promise<void> {
  const names = path.split("/");
  for (let depth = 1; depth <= names.length; depth += 1) {
    const place = `${FOLDER}/${names.slice(0, depth).join("/")}`;
    const found = await fs.lstatOrNull(place);
    if (found === null) break;
    const fits = depth < names.length ? found.isDirectory : found.isFile;
    if (!fits) await fs.rm(place, { recursive: true });
  }
  await fs.mkdir(`${FOLDER}/${names.slice(0, -1).join("/")}`, { recursive: true });
}

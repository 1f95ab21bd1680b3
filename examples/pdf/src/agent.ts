/** The agent: a Durable Object with a workspace, and a Linux computer that works on it. */

import { DurableObject } from "cloudflare:workers";
import { getWorkspace, sh, withWorkspace } from "@cloudflare/computer";
import { ContainerBackend, computerdHost } from "@cloudflare/computer/backends/container";
import type { Card } from "./card.ts";
import type { Env } from "./env.ts";

const FOLDER = "/workspace";

/** What became of a card. */
export interface CardOutcome {
  readonly exitCode: number;
  readonly stderr: string;
  /** The PDF's size in bytes; null where pandoc failed. */
  readonly pdfBytes: number | null;
  /** Paths that went to the computer before the command, and came back after it. */
  readonly sync: { readonly pushed: number; readonly pulled: number; readonly status: "complete" };
  /** Milliseconds that each stage took. */
  readonly ms: { readonly write: number; readonly run: number };
}

export class Agent extends withWorkspace(DurableObject<Env>, ({ ctx, env }) => ({
  storage: ctx.storage,
  backends: [
    new ContainerBackend({
      workspace: { binding: "AGENT", id: ctx.id.toString() },
      container: () =>
        computerdHost({ url: env.COMPUTER_HOST_URL, token: env.COMPUTER_HOST_TOKEN, id: ctx.id.toString() }),
    }),
  ],
})) {
  #last: Promise<unknown> = Promise.resolve();

  /** Writes the card's files and makes `card.pdf` of them. One card after another: they share a folder. */
  makePdf(card: Card): Promise<CardOutcome> {
    const next = this.#last.then(() => this.#makePdf(card));
    this.#last = next.catch(() => {});
    return next;
  }

  async #makePdf(card: Card): Promise<CardOutcome> {
    using workspace = getWorkspace(this);
    const started = Date.now();
    for (const { path, content } of card.files) {
      const folder = path.split("/").slice(0, -1).join("/");
      await workspace.fs.mkdir(`${FOLDER}/${folder}`, { recursive: true });
      await workspace.fs.writeFile(`${FOLDER}/${path}`, content);
    }
    const written = Date.now();
    const command = sh`pandoc card.md -o card.pdf --pdf-engine=typst ${card.options}`;
    using run = await workspace.runtime.exec(command, { cwd: FOLDER, encoding: "utf8", timeoutMs: 120_000 });
    const { exitCode, stderr, pushed, pulled, sync } = await run.result();
    if (sync.status === "pending") {
      throw new Error(
        `pandoc has run, but what it wrote has not come back yet: ${sync.error ?? "the computer is not reached"}`,
      );
    }
    const pdf = exitCode === 0 ? await workspace.fs.stat(`${FOLDER}/card.pdf`) : null;
    return {
      exitCode,
      stderr,
      pdfBytes: pdf?.size ?? null,
      sync: { pushed, pulled, status: sync.status },
      ms: { write: written - started, run: Date.now() - written },
    };
  }
}

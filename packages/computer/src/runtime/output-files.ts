/** The files under `/.computer/output` that hold the whole of outputs too long for a result. */

import type { WorkspaceFilesystem } from "@cloudflare/dofs";

/** Where outputs are kept, and how many. */
export interface OutputFilesOptions {
  /** An absolute directory; made when it is needed. */
  readonly dir: string;
  /** How many files stay, the newest. */
  readonly keep: number;
}

/** How saving an output went. */
export type OutputSaved = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/** One output on its way into its file. The file appears when it is closed. */
export interface OutputFile {
  readonly path: string;
  write(chunk: Uint8Array): Promise<void>;
  /** Never throws: that an output could not be saved does not change what the run came to. */
  close(): Promise<OutputSaved>;
}

/** Makes and thins out the files of one workspace. */
export class OutputFiles {
  readonly #fs: WorkspaceFilesystem;
  readonly #options: OutputFilesOptions;

  constructor(fs: WorkspaceFilesystem, options: OutputFilesOptions) {
    this.#fs = fs;
    this.#options = options;
  }

  open(name: string): OutputFile {
    const path = `${this.#options.dir}/${name}`;
    const pipe = new TransformStream<Uint8Array, Uint8Array>();
    const writer = pipe.writable.getWriter();
    const written = this.#write(path, pipe.readable);
    // Nobody reads what comes after the writing has failed, so it must not be waited for.
    const over = written.catch(() => {});
    return {
      path,
      write: (chunk) => Promise.race([writer.write(chunk).catch(() => {}), over]),
      close: async () => {
        try {
          void writer.close().catch(() => {});
          await written;
          await this.#thinOut();
          return { ok: true };
        } catch (error) {
          return { ok: false, reason: error instanceof Error ? error.message : String(error) };
        }
      },
    };
  }

  async #write(path: string, content: ReadableStream<Uint8Array>): Promise<void> {
    await this.#fs.mkdir(this.#options.dir, { recursive: true });
    await this.#fs.writeFile(path, content);
  }

  async #thinOut(): Promise<void> {
    const files = (await this.#fs.readdir(this.#options.dir)).filter((entry) => entry.isFile);
    files.sort((a, b) => b.mtime - a.mtime || (a.name < b.name ? 1 : -1));
    for (const { name } of files.slice(this.#options.keep)) {
      await this.#fs.rm(`${this.#options.dir}/${name}`, { force: true });
    }
  }
}

/** A file name that tells the run and its stream; anything that a path could not take is replaced. */
export function outputName(id: string, stream: "stdout" | "stderr"): string {
  const safe = id.replace(/[^\w.-]/g, (character) => `%${character.codePointAt(0)?.toString(16)}`).slice(0, 200);
  return `${safe}.${stream}.txt`;
}

/** What a verb of the command line is, and what it works with. */

import { quotePath } from "../diff/quote-path.ts";
import { relativePath } from "../files/repository-path.ts";
import { fatal } from "../git-error.ts";
import { type Pathspec, pathspecOf } from "../ignore/pathspec.ts";
import type { Network } from "../remote/network.ts";
import type { Repository } from "../repository/repository.ts";
import type { Args } from "./flags.ts";

/** The exit code, 0 where none is given. */
export type Exit = number | undefined;

export interface Command {
  /** What stands after the verb in the usage text; further ways on further lines. */
  readonly usage: string;
  /** Its options, see `parseFlags`. */
  readonly flags: readonly string[];
  /** Works in no more than one step, in which nothing else can happen. */
  // biome-ignore lint/suspicious/noConfusingVoidType: a verb that ends well need not say so
  run?(context: CommandContext, args: Args): Exit | void;
  /** Waits for the network in between. */
  // biome-ignore lint/suspicious/noConfusingVoidType: a verb that ends well need not say so
  runAsync?(context: CommandContext, args: Args): Promise<Exit | void>;
}

export interface CommandContextOptions {
  readonly cwd: string;
  readonly stdin: string;
  readonly network: Network;
  open(): Repository;
  /** Runs a step that happens as a whole or not at all, with the files and the repository as they are then. */
  step<T>(work: () => T): T;
  /** A path as a caller may give it, made one that may be used. */
  readonly surroundings: Repository["surroundings"];
}

export class CommandContext {
  readonly cwd: string;
  readonly stdin: string;
  readonly network: Network;
  readonly surroundings: Repository["surroundings"];
  readonly step: <T>(work: () => T) => T;
  readonly #open: () => Repository;
  #repository: Repository | undefined;
  #stdout: string[] = [];
  #stderr: string[] = [];

  constructor({ cwd, stdin, network, open, step, surroundings }: CommandContextOptions) {
    this.cwd = cwd;
    this.stdin = stdin;
    this.network = network;
    this.surroundings = surroundings;
    this.step = step;
    this.#open = open;
  }

  /** The repository that the working directory is in; `ENOTAREPO` where there is none. */
  get repository(): Repository {
    this.#repository ??= this.#open();
    return this.#repository;
  }

  /** Opens the repository anew, since others may have changed it meanwhile. */
  reopen(): Repository {
    this.surroundings.files.forget();
    this.#repository = undefined;
    return this.repository;
  }

  /** Works in another repository from here on. */
  use(repository: Repository): void {
    this.#repository = repository;
  }

  /** Writes what the command made. */
  save(): void {
    this.#repository?.save();
  }

  out(text: string): void {
    this.#stdout.push(text);
  }

  line(text: string): void {
    this.#stdout.push(`${text}\n`);
  }

  err(text: string): void {
    this.#stderr.push(text.endsWith("\n") || text.endsWith("\r") ? text : `${text}\n`);
  }

  get stdout(): string {
    return this.#stdout.join("");
  }

  get stderr(): string {
    return this.#stderr.join("");
  }

  get env(): Repository["surroundings"]["env"] {
    return this.surroundings.env;
  }

  pathspec(args: readonly string[]): Pathspec {
    return pathspecOf(args, this.cwd, this.repository.workTree);
  }

  /** A path of the work tree from its top, as it is seen from the working directory. */
  shown(path: string): string {
    return this.quoted(this.fromHere(path));
  }

  fromHere(path: string): string {
    const slash = path.endsWith("/") ? "/" : "";
    const relative = relativePath(this.cwd, this.repository.inWorkTree(path.replace(/\/$/, "")));
    return relative === "" ? "./" : relative + slash;
  }

  quoted(path: string): string {
    return quotePath(path, { high: this.quotesHigh });
  }

  get quotesHigh(): boolean {
    return this.repository.config.flag("core.quotepath") ?? true;
  }
}

/** The arguments of a verb that takes just so many. */
export function exactly(words: readonly string[], least: number, most: number, usage: string): void {
  if (words.length < least || words.length > most) throw fatal(`usage: git ${usage}`);
}

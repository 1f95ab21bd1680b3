/** A repository behind a git server, over its smart HTTP protocol of version 0. */

import { Buffer } from "node:buffer";
import type { InodeStore, Stage } from "@cloudflare/dofs";
import { fatal, GitError } from "../git-error.ts";
import type { Repository } from "../repository/repository.ts";
import { HttpClient } from "./http-client.ts";
import { installPack } from "./install-pack.ts";
import type { Network } from "./network.ts";
import { packPieces } from "./pack-pieces.ts";
import { FLUSH, lineText, PktReader, pktLine } from "./pkt-line.ts";
import { ProgressLines } from "./progress-lines.ts";
import type { Advertisement, FetchAnswer, FetchRequest, PushAnswer, PushCommand, Remote } from "./remote.ts";

const AGENT = "agent=git/2.39.5";
/** A pack up to so many bytes is sent in one piece, a larger one as it is made. */
const BODY_BYTES = 1024 * 1024;
const HASH_DIGITS = 40;

export class HttpRemote implements Remote {
  readonly #client: HttpClient;
  readonly #network: Network;
  readonly #store: InodeStore;
  #capabilities: ReadonlySet<string> = new Set();

  constructor(url: string, network: Network, store: InodeStore) {
    this.#client = new HttpClient(url, network);
    this.#network = network;
    this.#store = store;
  }

  get url(): string {
    return this.#client.url;
  }

  async refs(service: "git-upload-pack" | "git-receive-pack"): Promise<Advertisement> {
    const response = await this.#client.ask(`/info/refs?service=${service}`, { method: "GET", accept: "*/*" });
    if (response.headers.get("Content-Type") !== `application/x-${service}-advertisement`) {
      await response.body?.cancel();
      throw fatal(`${this.url}/info/refs not valid: is this a git repository?`, "ENOTAREPO");
    }
    const reader = new PktReader(response.body);
    const found = await readAdvertisement(reader, service);
    await reader.cancel();
    this.#capabilities = found.capabilities;
    return found;
  }

  async fetch(request: FetchRequest): Promise<FetchAnswer> {
    const wanted = ["side-band-64k", "ofs-delta", ...(request.includeTags ? ["include-tag"] : [])];
    const capabilities = [...wanted.filter((name) => this.#capabilities.has(name)), AGENT].join(" ");
    const lines = request.wants.map((oid, i) => pktLine(`want ${oid}${i === 0 ? ` ${capabilities}` : ""}\n`));
    for (const oid of request.shallow) lines.push(pktLine(`shallow ${oid}\n`));
    if (request.depth !== undefined) lines.push(pktLine(`deepen ${request.depth}\n`));
    lines.push(FLUSH, ...request.haves.map((oid) => pktLine(`have ${oid}\n`)), pktLine("done\n"));
    const response = await this.#post("git-upload-pack", Buffer.concat(lines));
    const reader = new PktReader(response.body);
    const [shallow, unshallow]: [string[], string[]] = [[], []];
    if (request.depth !== undefined) {
      for (let line = await reader.next(); line !== "flush" && line !== undefined; line = await reader.next()) {
        const [word, oid = ""] = lineText(line).split(" ");
        if (word === "shallow") shallow.push(oid);
        else if (word === "unshallow") unshallow.push(oid);
        else throw serverError(lineText(line));
      }
    }
    for (;;) {
      const line = await reader.next();
      if (line === undefined || line === "flush")
        throw new GitError("EPROTOCOL", "the remote end hung up before it sent a pack");
      const text = lineText(line);
      if (text === "NAK" || /^ACK [0-9a-f]{40}$/.test(text)) break;
      if (!text.startsWith("ACK ")) throw serverError(text);
    }
    const pack = this.#store.stage();
    try {
      await this.#receive(reader, pack);
    } catch (error) {
      pack.discard();
      throw error;
    }
    return { shallow, unshallow, install: (repository) => installPack(repository, pack) };
  }

  async push(commands: readonly PushCommand[], repository: Repository, oids: readonly string[]): Promise<PushAnswer> {
    const wanted = ["report-status", "side-band-64k", "ofs-delta"].filter((name) => this.#capabilities.has(name));
    const lines = [...repository.objects.shallow].map((oid) => pktLine(`shallow ${oid}`));
    for (const [i, { from, to, ref }] of commands.entries()) {
      lines.push(pktLine(`${from} ${to} ${ref}${i === 0 ? `\0 ${[...wanted, AGENT].join(" ")}` : ""}`));
    }
    lines.push(FLUSH);
    const pieces = commands.every(({ to }) => /^0+$/.test(to)) ? [] : packPieces(repository.objects, oids);
    const response = await this.#post("git-receive-pack", bodyOf(lines, pieces));
    return readReport(new PktReader(response.body), wanted.includes("side-band-64k"), this.#network);
  }

  #post(service: string, body: Uint8Array | ReadableStream<Uint8Array>): Promise<Response> {
    return this.#client.ask(`/${service}`, {
      method: "POST",
      type: `application/x-${service}-request`,
      accept: `application/x-${service}-result`,
      body,
    });
  }

  async #receive(reader: PktReader, pack: Stage): Promise<void> {
    const progress = new ProgressLines(this.#network);
    if (!this.#capabilities.has("side-band-64k")) {
      for await (const piece of reader.rest()) pack.append(piece);
      return;
    }
    for (let line = await reader.next(); line !== undefined && line !== "flush"; line = await reader.next()) {
      const content = line.subarray(1);
      if (line[0] === 1) pack.append(content);
      else if (line[0] === 2) await progress.add(content);
      else if (line[0] === 3) throw serverError(lineText(content));
    }
    await progress.end();
  }
}

/** The beginning of a body and a pack: as one where it is small, else as a stream. */
function bodyOf(lines: readonly Uint8Array[], pieces: Iterable<Uint8Array>): Uint8Array | ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.iterator]();
  const held = [...lines];
  let size = 0;
  for (let next = iterator.next(); ; next = iterator.next()) {
    if (next.done) return Buffer.concat(held);
    held.push(next.value);
    size += next.value.length;
    if (size > BODY_BYTES) break;
  }
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const waiting = held.shift();
      const next = waiting === undefined ? iterator.next() : { done: false as const, value: waiting };
      if (next.done) controller.close();
      else controller.enqueue(new Uint8Array(next.value));
    },
  });
}

async function readAdvertisement(reader: PktReader, service: string): Promise<Advertisement> {
  const refs = new Map<string, string>();
  const peeled = new Map<string, string>();
  const capabilities = new Set<string>();
  let first = true;
  for (;;) {
    const line = await reader.next();
    if (line === undefined) break;
    if (line === "flush") {
      if (first) continue;
      break;
    }
    const text = lineText(line);
    if (text === `# service=${service}`) continue;
    if (text.startsWith("ERR ")) throw serverError(text);
    const nul = text.indexOf("\0");
    if (first && nul >= 0)
      for (const word of text
        .slice(nul + 1)
        .trim()
        .split(" "))
        capabilities.add(word);
    first = false;
    const entry = nul < 0 ? text : text.slice(0, nul);
    const [oid, name] = [entry.slice(0, HASH_DIGITS), entry.slice(HASH_DIGITS + 1)];
    if (name === "capabilities^{}" || entry.startsWith("shallow ")) continue;
    if (name.endsWith("^{}")) peeled.set(name.slice(0, -3), oid);
    else refs.set(name, oid);
  }
  const symref = [...capabilities].find((word) => word.startsWith("symref=HEAD:"));
  const format = [...capabilities].find((word) => word.startsWith("object-format="));
  if (format !== undefined && format !== "object-format=sha1") {
    throw new GitError(
      "EUNSUPPORTED",
      `unsupported: objects named by ${format.slice(14).toUpperCase().replace("SHA", "SHA-")}`,
    );
  }
  return { refs, peeled, capabilities, head: symref?.slice("symref=HEAD:".length) ?? headOf(refs) };
}

/** The branch that an older server's HEAD must be on. */
function headOf(refs: ReadonlyMap<string, string>): string | undefined {
  const head = refs.get("HEAD");
  if (head === undefined) return undefined;
  const branches = [...refs]
    .filter(([name, oid]) => name.startsWith("refs/heads/") && oid === head)
    .map(([name]) => name);
  return branches.find((name) => name === "refs/heads/main" || name === "refs/heads/master") ?? branches[0];
}

async function readReport(reader: PktReader, banded: boolean, network: Network): Promise<PushAnswer> {
  const progress = new ProgressLines(network);
  let report = Buffer.alloc(0);
  if (banded) {
    for (let line = await reader.next(); line !== undefined; line = await reader.next()) {
      if (line === "flush") continue;
      const content = line.subarray(1);
      if (line[0] === 1) report = Buffer.concat([report, content]);
      else if (line[0] === 2) await progress.add(content);
      else throw serverError(lineText(content));
    }
  } else for await (const piece of reader.rest()) report = Buffer.concat([report, piece]);
  await progress.end();
  const inner = new PktReader(new Response(new Uint8Array(report)).body);
  const refs = new Map<string, string | undefined>();
  let unpack: string | undefined = "the remote said nothing";
  for (let line = await inner.next(); line !== undefined && line !== "flush"; line = await inner.next()) {
    const text = lineText(line);
    if (text.startsWith("unpack ")) unpack = text === "unpack ok" ? undefined : text.slice(7);
    else if (text.startsWith("ok ")) refs.set(text.slice(3), undefined);
    else if (text.startsWith("ng ")) {
      const [, name = "", ...why] = text.split(" ");
      refs.set(name, why.join(" "));
    }
  }
  return { unpack, refs, messages: progress.text };
}

function serverError(text: string): GitError {
  return fatal(`remote error: ${text.replace(/^ERR /, "")}`, "EREMOTE");
}

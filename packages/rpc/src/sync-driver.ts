/** Keeps a workspace's store and one computer in step: pushes, pulls, cursors, and only the chunks that are missing. */

import {
  type Attr,
  type ChangeCursor,
  type ChangeEntry,
  type ChangePage,
  type InodeStore,
  type PeerState,
  type Refused,
  ROOT_INO,
  START,
} from "@cloudflare/dofs";
import { ChunkMover } from "./chunk-mover.ts";
import { ComputerError } from "./computer-error.ts";
import { chunkBytes, cutPage } from "./cut-page.ts";
import { checkEntries } from "./entry-check.ts";
import { IgnoredPaths, type IgnoreRules } from "./ignored-paths.ts";
import type { LazyContents } from "./lazy-contents.ts";
import { mergePeer } from "./store-facade.ts";
import { SYNC_LIMITS, type SyncLimits } from "./sync-limits.ts";
import { SyncOperation } from "./sync-operation.ts";
import type { SyncProgress, SyncResult, SyncTraffic } from "./sync-progress.ts";
import { type AppliedPage, type SyncPagesRPC, type SyncRPC, WORKSPACE_ROOT } from "./wire.ts";
import { joinNewDirectories } from "./withhold.ts";

/** Where versions that lose a conflict are kept; never synced. */
export const CONFLICT_DIR = "/.computer/conflicts";

/** How often one push gives way to changes of the computer before it gives up. */
const MOST_DETOURS = 10;

export interface SyncDriverOptions {
  /** The workspace's own store, in this thread. */
  readonly store: InodeStore;
  /** The computer: `session.rpc.sync`. */
  readonly rpc: SyncRPC & SyncPagesRPC;
  /** Whom the cursors belong to: `session.hello.runtimeId`. */
  readonly runtimeId: string;
  /** The backend's id, told in progress; default `container-shell`. */
  readonly backend?: string;
  /** What is synced; default {@link WORKSPACE_ROOT}. */
  readonly root?: string;
  /** Default {@link CONFLICT_DIR}. */
  readonly conflictDir?: string;
  /** Present where the computer fetches contents from it when they are first read, so that a push need not bring them. */
  readonly contents?: LazyContents | undefined;
  /** Paths that are the computer's own: what it does there is not taken over. What the workspace has there it gets like everything else. */
  readonly ignore?: IgnoreRules | undefined;
  readonly limits?: Partial<SyncLimits>;
}

export interface PullOptions {
  /** End once the computer's stream is taken over up to here; default: where it stands at the first answer. */
  readonly through?: ChangeCursor;
}

/**
 * One computer's runtime as the workspace syncs with it. Cursors are kept in the store, so a driver can be dropped and made anew at any
 * time; two of one runtime must not be used at once. The first time a runtime is met it is made equal to the workspace.
 *
 * Errors are those of the connection and the store. Whatever was done before one stays done, and the next push or pull goes on from there.
 */
export class SyncDriver {
  /** What was moved since the driver was made. */
  readonly traffic: SyncTraffic = {
    entriesPushed: 0,
    entriesPulled: 0,
    chunksPushed: 0,
    chunksPulled: 0,
    bytesPushed: 0,
    bytesPulled: 0,
    roundTrips: 0,
    liveBytes: 0,
    peakLiveBytes: 0,
  };
  readonly #options: Required<Omit<SyncDriverOptions, "contents" | "ignore">>;
  readonly #store: InodeStore;
  readonly #id: string;
  readonly #limits: SyncLimits;
  readonly #mover: ChunkMover;
  readonly #contents: LazyContents | undefined;
  /** Patterns that the computer is asked to heed, and those that it cannot. */
  readonly #ignore: readonly string[] | undefined;
  readonly #ignored: IgnoredPaths | undefined;
  /** The read-only roots that the computer was last told. */
  #readOnly: readonly string[] | undefined;
  #step: Promise<unknown> = Promise.resolve();

  constructor(options: SyncDriverOptions) {
    const limits = { ...SYNC_LIMITS, ...options.limits };
    this.#options = {
      backend: "container-shell",
      root: WORKSPACE_ROOT,
      conflictDir: CONFLICT_DIR,
      ...options,
      limits,
    };
    this.#store = options.store;
    this.#id = options.runtimeId;
    this.#limits = limits;
    this.#contents = options.contents;
    const { root, ignore } = { ...this.#options, ignore: options.ignore };
    if (ignore !== undefined && ignore.patterns.length > 0) {
      const { patterns, root: below = root, supported } = ignore;
      if (supported && below === root) this.#ignore = patterns;
      else this.#ignored = new IgnoredPaths(patterns, below);
    }
    this.#mover = new ChunkMover(options.store, options.rpc, limits, this.traffic);
  }

  /**
   * Brings the workspace's changes to the computer, a bounded page a step. Leaving the loop early loses nothing.
   * Where the computer changed the same paths, its version is pulled first and the conflict is in the result.
   */
  async *push(): AsyncGenerator<SyncProgress, SyncResult> {
    const operation = this.#begin("push");
    operation.target = { rev: this.#store.rev(), path: null };
    for (let detours = 0; !operation.complete; ) {
      const withheld = await this.#exclusive(() => this.#pushStep(operation));
      if (withheld) {
        if (++detours > MOST_DETOURS) {
          throw new ComputerError("ESYNC", "the computer keeps changing files that are being pushed; push again later");
        }
        await this.#pullInto(operation);
      }
      yield operation.progress();
    }
    return operation.result;
  }

  /** Takes the computer's own changes over, a bounded page a step. Leaving the loop early loses nothing. */
  async *pull(options: PullOptions = {}): AsyncGenerator<SyncProgress, SyncResult> {
    const operation = this.#begin("pull");
    operation.target = options.through;
    while (!operation.complete) {
      await this.#exclusive(() => this.#pullStep(operation));
      yield operation.progress();
    }
    return operation.result;
  }

  /** A whole push. */
  async pushAll(): Promise<SyncResult> {
    return drain(this.push());
  }

  /** A whole pull. */
  async pullAll(options: PullOptions = {}): Promise<SyncResult> {
    return drain(this.pull(options));
  }

  #begin(direction: "push" | "pull"): SyncOperation {
    const { backend } = this.#options;
    return new SyncOperation({ direction, backend, generation: this.#id, traffic: this.traffic });
  }

  /** Steps run one at a time: a page read early must not be sent, nor its cursor kept, after one that was read later. */
  #exclusive<T>(step: () => Promise<T>): Promise<T> {
    const run = this.#step.then(step);
    this.#step = run.catch(() => undefined);
    return run;
  }

  /** What is remembered of the runtime; a new one is met where its stream stands now. */
  async #meet(): Promise<PeerState> {
    const known = this.#store.peer(this.#id);
    if (known !== undefined) return known;
    this.traffic.roundTrips++;
    const { currentRev } = await this.#options.rpc.watermarks();
    const met = { sent: START, received: { rev: currentRev, path: null } };
    this.#store.transaction(() => {
      // After a push of nothing at all the cursor would stand at the start, and the computer be emptied once more.
      if (this.#store.rev() === 0) makeDirectory(this.#store, this.#options.root);
      this.#store.setPeer(this.#id, met);
    });
    return met;
  }

  /** Pushes one page; true where some of it was withheld, so that the cursor stays until a pull has settled it. */
  async #pushStep(operation: SyncOperation): Promise<boolean> {
    const { sent, received } = await this.#meet();
    this.#checkRoot();
    const page = this.#page(sent);
    if (page.entries.length > 0 || !this.#knowsRoots()) {
      const moved = await this.#mover.send(this.#broughtAlong(operation, page));
      operation.moved(moved, page.entries);
      this.traffic.entriesPushed += page.entries.length;
      this.traffic.bytesPushed += inlineBytes(page.entries);
      const answer = await this.#send(page.entries, received, page.cursor);
      operation.result.entries += answer.applied;
      operation.result.refused.push(...(await this.#resend(answer, page.entries, received)));
      if (answer.withheld.length > 0) return true;
    }
    mergePeer(this.#store, this.#id, { sent: page.cursor });
    operation.reached(page);
    return false;
  }

  #page(sent: ChangeCursor): ChangePage {
    const { root } = this.#options;
    const { entries, bytes } = this.#limits;
    const contents = this.#contents === undefined ? this.#limits.contents : Number.POSITIVE_INFINITY;
    const page = cutPage(this.#store, sent, { entries, bytes, contents, peer: this.#id, root });
    const isFirst = sent.rev === START.rev && sent.baseline === undefined;
    if (!isFirst || page.entries[0]?.path === root) return page;
    const emptied: ChangeEntry = { kind: "dir", rev: 0, path: root, mode: 0o755, mtime: 0, fresh: true };
    return { ...page, entries: [emptied, ...page.entries] };
  }

  /** The entries whose contents travel with a page: all, or where the computer can fetch them those of a push that has few. */
  #broughtAlong(operation: SyncOperation, page: ChangePage): readonly ChangeEntry[] {
    if (this.#contents === undefined) return page.entries;
    const isWhole = page.done && operation.result.entries === 0;
    const size = page.entries.reduce((sum, entry) => sum + chunkBytes(entry), 0);
    if (isWhole && size <= this.#limits.prefetch) return page.entries;
    this.#contents.hold(page.entries);
    return [];
  }

  /** A driver made anew does not know what the computer was told before. */
  #knowsRoots(): boolean {
    return this.#readOnly !== undefined && sameStrings(this.#readOnly, this.#store.readOnlyRoots());
  }

  /** What the workspace has in place of the synced directory would be neither brought over nor spared. */
  #checkRoot(): void {
    const { root } = this.#options;
    const taken = notDirectory(this.#store, root);
    if (taken === undefined) return;
    throw new ComputerError(
      "ESYNC",
      `${taken} is not a directory in the workspace, and a computer works in ${root}: move it to another name`,
    );
  }

  async #send(entries: ChangeEntry[], received: ChangeCursor, cursor?: ChangeCursor): Promise<AppliedPage> {
    const readOnly = [...this.#store.readOnlyRoots()];
    const news = !this.#knowsRoots();
    this.traffic.roundTrips++;
    const answer = await this.#options.rpc.pushPage({
      entries,
      base: received.rev,
      ...(cursor === undefined ? {} : { cursor }),
      ...(this.#contents === undefined ? {} : { absent: true }),
      ...(news ? { readOnly } : {}),
    });
    this.#readOnly = readOnly;
    return answer;
  }

  /** What of an answer's refusals stands: chunks that a concurrent change took away are no fault, those lost there go once more. */
  async #resend(answer: AppliedPage, entries: readonly ChangeEntry[], received: ChangeCursor): Promise<Refused[]> {
    const lacking = new Set(answer.refused.filter(({ reason }) => reason === "missing-chunks").map(({ path }) => path));
    if (lacking.size === 0) return answer.refused;
    const again = entries.filter(
      ({ path, rev, kind }) => lacking.has(path) && kind === "file" && this.#store.entry(path)?.rev === rev,
    );
    const others = answer.refused.filter(({ reason }) => reason !== "missing-chunks");
    if (again.length === 0) return others;
    await this.#mover.send(again);
    return [...others, ...(await this.#send(again, received)).refused];
  }

  async #pullInto(operation: SyncOperation): Promise<void> {
    const pull = this.#begin("pull");
    while (!pull.complete) await this.#exclusive(() => this.#pullStep(pull));
    operation.result.refused.push(...pull.result.refused);
    operation.result.conflicts.push(...pull.result.conflicts);
  }

  async #pullStep(operation: SyncOperation): Promise<void> {
    const { received } = await this.#meet();
    const { entries, bytes, contents } = this.#limits;
    this.traffic.roundTrips++;
    const page = await this.#options.rpc.pullPage({
      after: received,
      entries,
      bytes,
      contents,
      ...(this.#ignore === undefined ? {} : { ignore: [...this.#ignore] }),
    });
    operation.target ??= { rev: page.rev, path: null };
    operation.leftOut((page.refused ?? []).filter(({ path }) => this.#ignored?.has({ kind: "file", path }) !== true));
    await this.#take(operation, this.#ignored?.without(page.entries) ?? page.entries, page.cursor);
    operation.reached(page);
    if (operation.complete) await this.#takeMissing(operation);
    if (page.done && this.#contents !== undefined && this.#isAllPushed()) this.#contents.caughtUp();
  }

  #isAllPushed(): boolean {
    const sent = this.#store.peer(this.#id)?.sent ?? START;
    const { entries, done } = this.#store.changes(sent, { entries: 1, peer: this.#id, root: this.#options.root });
    return done && entries.length === 0;
  }

  /** Applies entries of the computer and keeps the cursor after them, both or neither. */
  async #take(operation: SyncOperation, entries: readonly ChangeEntry[], received?: ChangeCursor): Promise<void> {
    const { root, conflictDir } = this.#options;
    const checked = checkEntries(entries, root);
    // A computer can lose its files; that is no reason to empty the workspace.
    const good = checked.good.filter(({ path }) => path !== root);
    const moved = await this.#mover.fetch(good);
    operation.moved(moved, good);
    const outcome = this.#store.transaction(() => {
      this.#checkRoot();
      const sent = this.#store.peer(this.#id)?.sent ?? START;
      const base = settled(sent);
      const joined = joinNewDirectories(this.#store, good, { peer: this.#id, since: base, root });
      const applied = this.#store.apply(joined, { peer: this.#id, root, base, conflictDir });
      if (received !== undefined) mergePeer(this.#store, this.#id, { received });
      return applied;
    });
    this.traffic.entriesPulled += outcome.applied;
    this.traffic.bytesPulled += inlineBytes(good);
    operation.took(outcome, good);
    operation.result.refused.push(...checked.refused);
  }

  /** Contents that had changed there before they could be fetched, as they are now; what still cannot be had is refused. */
  async #takeMissing(operation: SyncOperation): Promise<void> {
    for (const path of operation.takeMissing()) {
      this.traffic.roundTrips++;
      const entry = await this.#options.rpc.readEntry(path);
      if (entry !== null) await this.#take(operation, [entry]);
    }
    for (const path of operation.takeMissing()) {
      operation.result.refused.push({ path, op: "write", reason: "missing-chunks", mountRoot: "" });
    }
  }
}

/** The newest revision of which the receiver has everything. */
function settled(sent: ChangeCursor): number {
  if (sent.baseline !== undefined) return 0;
  return sent.path === null ? sent.rev : sent.rev - 1;
}

function makeDirectory(store: InodeStore, path: string): void {
  let parent = ROOT_INO;
  for (const name of path.split("/").filter((each) => each !== "")) {
    parent = store.create(parent, name, { kind: "dir", mode: 0o755 }).ino;
  }
}

/** What stands where a directory of the path should be; undefined where nothing does, or is there at all. */
function notDirectory(store: InodeStore, path: string): string | undefined {
  let attr: Attr | undefined = store.getattr(ROOT_INO);
  let here = "";
  for (const name of path.split("/").filter((each) => each !== "")) {
    attr = store.lookup(attr.ino, name);
    if (attr === undefined) return undefined;
    here += `/${name}`;
    if (attr.kind !== "dir") return here;
  }
  return undefined;
}

function sameStrings(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}

function inlineBytes(entries: readonly ChangeEntry[]): number {
  return entries.reduce((sum, entry) => sum + (entry.kind === "file" ? (entry.data?.byteLength ?? 0) : 0), 0);
}

async function drain(steps: AsyncGenerator<SyncProgress, SyncResult>): Promise<SyncResult> {
  for (;;) {
    const step = await steps.next();
    if (step.done === true) return step.value;
  }
}

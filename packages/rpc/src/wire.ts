/** What a workspace and a computer's daemon say to each other over capnweb. */

import type { ChangeCursor, ChangeEntry, ChangePage, Chunk, Refused } from "@cloudflare/dofs";

/** Raised by one when either side could no longer understand the other; told in {@link Hello}. */
export const PROTOCOL_VERSION = 1;

/** The directory that is synced and that commands see; paths in entries are absolute and lie under it. */
export const WORKSPACE_ROOT = "/workspace";

/** What the daemon says of itself when a session opens. */
export interface Hello {
  /** {@link PROTOCOL_VERSION} of the daemon. */
  protocol: number;
  /** A UUID made when the daemon's files were empty: cursors belong to it, a new one means that everything there is gone. */
  runtimeId: string;
  /** `fuse`: commands see the files through a mount that is always current. `files`: through plain files. */
  mount: "fuse" | "files";
  /** Contents that a {@link PushedPage} leaves out are fetched from the workspace when they are first read. */
  fetches?: boolean;
  /** {@link PageRequest.ignore} and that of `fetchChanges` are heeded. */
  ignores?: boolean;
  /** Milliseconds since a command last ran, or since the daemon started; 0 while one runs. */
  idleMs?: number;
}

/** The files half. The workspace calls it; the computer answers. */
export interface SyncRPC {
  /** Applies changes of the workspace. `appliedPushCursor` is how far into the workspace's stream the computer now is. */
  push(input: {
    senderRev: number;
    senderCursor?: ChangeCursor;
    changes: ReadableStream<ChangeEntry>;
  }): Promise<{ rev: number; applied?: number; appliedPushCursor: ChangeCursor }>;
  /** The computer's own changes after a cursor of its stream, up to `through`, without those that `ignore` fits as in {@link PageRequest}. */
  fetchChanges(input: { after?: ChangeCursor; through?: ChangeCursor; ignore?: string[] }): Promise<{
    currentCursor: ChangeCursor;
    appliedPushCursor: ChangeCursor;
    stream: ReadableStream<ChangeEntry>;
  }>;
  watermarks(input?: { settle?: boolean }): Promise<{ currentRev: number; pushRev: number; fetchCursor: ChangeCursor }>;
  readEntry(path: string): Promise<ChangeEntry | null>;
  /** Of these SHA-256 hashes, those whose bytes are there. */
  hasObjects(hashes: Uint8Array[]): Promise<Uint8Array[]>;
  fetchObjects(hashes: Uint8Array[]): ReadableStream<{ hash: Uint8Array; bytes: Uint8Array }>;
  pushObjects(objects: ReadableStream<{ hash: Uint8Array; bytes: Uint8Array }>): Promise<void>;
}

/** The exit code of a run that its timeout ended, as coreutils' `timeout` gives it. */
export const TIMED_OUT = 124;

/**
 * One thing a run says. `seq` rises by one from 0 over all three kinds; `exit` is the last.
 * `ended` on it says that the run did not come to its own end: it was stopped by `killExec` or by its timeout.
 */
export type ExecEvent =
  | { id: string; seq: number; name: "stdout"; value: Uint8Array }
  | { id: string; seq: number; name: "stderr"; value: Uint8Array }
  | { id: string; seq: number; name: "exit"; code: number; result?: unknown; ended?: "killed" | "timeout" };

export type KillSignal = "SIGTERM" | "SIGKILL" | "SIGINT" | "SIGHUP";

/** The shell half. */
export interface ShellRPC {
  /** Starts `source` in `/bin/sh`. Resolves once it runs. */
  exec(input: {
    source: string;
    cwd?: string;
    id?: string;
    input?: unknown;
    timeoutMs?: number;
    env?: Record<string, string>;
    stdin?: Uint8Array;
  }): Promise<{ id: string; events: ReadableStream<ExecEvent> }>;
  /** The events of a run again, those with a `seq` above `after`; `tail` gives only what is yet to come. */
  getExec(input: { id: string; after?: number | "tail" }): Promise<{ id: string; events: ReadableStream<ExecEvent> }>;
  killExec(input: { id: string; signal?: KillSignal }): Promise<void>;
  disposeExec(input: { id: string }): Promise<void>;
}

export interface WorkspaceRPC {
  sync: SyncRPC;
  shell: ShellRPC;
}

/** How much of a computer's changes to answer with. */
export interface PageRequest {
  after: ChangeCursor;
  /** At most this many entries; one at least where there is one. */
  entries: number;
  /** Stop at this many bytes of inline data and metadata. */
  bytes: number;
  /** Stop at this many bytes of contents named by the entries. */
  contents: number;
  /** Patterns as in a `.gitignore` in the synced directory: entries they fit are left out. A page may be empty and not the last. */
  ignore?: string[];
}

/** A page of a computer's own changes, and the newest revision there when it was read. */
export interface PulledPage extends ChangePage {
  rev: number;
}

/** A page of the workspace's changes for a computer. */
export interface PushedPage {
  entries: ChangeEntry[];
  /** Where the workspace's stream stands after these entries, for the computer to remember; left out: where it stood. */
  cursor?: ChangeCursor;
  /**
   * The newest revision of the computer that the workspace has pulled: what changed there later is not overwritten.
   * Left out: what it last asked after.
   */
  base?: number;
  /** Files whose contents are not there are taken all the same: the workspace gives them over this session when they are first read. */
  absent?: boolean;
  /** The directories that commands may not change, from now on; left out: as they were. */
  readOnly?: string[];
}

/** What became of a {@link PushedPage}. */
export interface AppliedPage {
  applied: number;
  refused: Refused[];
  /** Paths left as they are because the computer changed them after `base`; its version comes with the next pull. */
  withheld: string[];
  /** The newest revision of the computer. */
  rev: number;
}

/**
 * The files half in whole pages, each call bounded and answered before it is repeated. It says the same as {@link SyncRPC}; it exists because
 * capnweb paces a stream by a clock that stands still in a Worker, where a stream sent from one may stall.
 */
export interface SyncPagesRPC {
  pullPage(request: PageRequest): Promise<PulledPage>;
  pushPage(page: PushedPage): Promise<AppliedPage>;
  /** Those of the chunks that are there. */
  getChunks(hashes: Uint8Array[]): Promise<Chunk[]>;
  putChunks(chunks: Chunk[]): Promise<void>;
}

/** The workspace's main object on a session, for the daemon to call. */
export interface ContentsRPC {
  /** Those of the chunks that are there. */
  getChunks(hashes: Uint8Array[]): Promise<Chunk[]>;
}

/** What a command asks for over HTTP, where a gateway of the workspace's is the only way out. */
export interface OutboundRequest {
  method: string;
  url: string;
  headers: [name: string, value: string][];
  body: Uint8Array;
}

/** The gateway's answer with the beginning of its body; `more` names the rest, where there is any. */
export interface OutboundAnswer {
  status: number;
  statusText: string;
  headers: [name: string, value: string][];
  body: Uint8Array;
  more?: string;
}

/** The workspace's gateway, for the daemon to call. */
export interface OutboundRPC {
  outbound(request: OutboundRequest): Promise<OutboundAnswer>;
  /** The next piece of an answer's body. */
  outboundMore(id: string): Promise<{ body: Uint8Array; done: boolean }>;
  /** Says that nobody wants the rest. */
  outboundEnd(id: string): Promise<void>;
}

/** The daemon's main object on a session. */
export interface DaemonRPC extends WorkspaceRPC {
  sync: SyncRPC & SyncPagesRPC;
  hello(): Promise<Hello>;
}

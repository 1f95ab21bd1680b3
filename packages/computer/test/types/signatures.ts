/** Compile-only: the main classes and shapes of the API of 0.8.0, held against ours in both directions, and searched for `any`. */

import type * as ours from "@cloudflare/computer";
import type { ArtifactClient } from "@cloudflare/computer/artifacts";
import type { AssetsClient } from "@cloudflare/computer/assets";
import type * as container from "@cloudflare/computer/backends/container";
import type { GitClient } from "@cloudflare/computer/git";
import type {
  FindOptions,
  GrepOptions,
  MkdirOptions,
  ReaddirOptions,
  ReadFileOptions,
  RmOptions,
  WorkspaceDirentResult,
  WorkspaceFilesystem,
  WorkspaceFoundEntry,
  WorkspaceGrepMatch,
  WorkspaceStatResult,
  WriteFileContent,
  WriteFileOptions,
} from "@cloudflare/dofs";

/** What is the platform's own of a handle and of a stub. */
type Platform = keyof ReadableStream | keyof Rpc.RpcTargetBranded;

/** What can be seen of a class from outside, each overload of each method. */
type Public<T> = { [K in Exclude<keyof T, Platform>]: T[K] };

type Taken<F> = F extends (...args: infer P) => unknown ? P : never;

/** The methods whose parameters differ: assignability takes those of methods in either direction. Of overloads the last is looked at. */
type OtherParameters<A, B> = {
  [K in keyof A & keyof B]: [Taken<A[K]>, Taken<B[K]>] extends [Taken<B[K]>, Taken<A[K]>] ? never : K;
}[keyof A & keyof B];

type IsAny<T> = 0 extends 1 & T ? true : false;

/** The members that are `any`, or take or give it. */
type AnyMembers<T> = {
  [K in keyof T]-?: true extends IsAny<T[K]>
    ? K
    : T[K] extends (...args: infer P) => infer R
      ? true extends IsAny<Awaited<R>> | IsAny<R> | IsAny<P[number]>
        ? K
        : never
      : never;
}[keyof T];

type Fits<A, B> = Public<A> extends Public<B> ? true : false;

/** `true` where each of the two can stand for the other and `Ours` is free of `any`; else what is wrong. */
type Same<Ours, Shape> = [
  AnyMembers<Public<Ours>>,
  OtherParameters<Public<Ours>, Public<Shape>>,
  Fits<Ours, Shape>,
  Fits<Shape, Ours>,
] extends [never, never, true, true]
  ? true
  : {
      any: AnyMembers<Public<Ours>>;
      parameters: OtherParameters<Public<Ours>, Public<Shape>>;
      oursFits: Fits<Ours, Shape>;
      shapeFits: Fits<Shape, Ours>;
    };

function same<_Check extends true>(): void {}

type ExecEncoding = "utf8" | undefined;
type Chunk<E extends ExecEncoding> = E extends "utf8" ? string : Uint8Array;
type Value = ours.WorkspaceRuntimeValue;
type Signal = "SIGTERM" | "SIGKILL" | "SIGINT" | "SIGHUP";

interface Handle<E extends ExecEncoding> extends ReadableStream<ours.WorkspaceRuntimeEvent<E>> {
  readonly id: string;
  readonly backend: string;
  result(): Promise<ours.WorkspaceRuntimeResult<E>>;
  kill(signal?: Signal): Promise<void>;
  [Symbol.dispose](): void;
}

interface FilesystemStub {
  readFile(path: string): Promise<ReadableStream<Uint8Array>>;
  readFile(path: string, encoding: "utf8"): Promise<string>;
  readFile(path: string, options: ReadFileOptions & { encoding?: undefined }): Promise<ReadableStream<Uint8Array>>;
  readFile(path: string, options: ReadFileOptions & { encoding: "utf8" }): Promise<string>;
  readFile(path: string, options: ReadFileOptions): Promise<string | ReadableStream<Uint8Array>>;
  exists(path: string): Promise<boolean>;
  stat(path: string): Promise<WorkspaceStatResult>;
  statOrNull(path: string): Promise<WorkspaceStatResult | null>;
  lstat(path: string): Promise<WorkspaceStatResult>;
  lstatOrNull(path: string): Promise<WorkspaceStatResult | null>;
  readlink(path: string): Promise<string>;
  readdir(path: string, options?: ReaddirOptions): Promise<WorkspaceDirentResult[]>;
  find(directory: string, pattern?: string, options?: FindOptions): Promise<WorkspaceFoundEntry[]>;
  ls(prefix: string): Promise<string[]>;
  grep(pattern: string, path: string, options?: GrepOptions): Promise<WorkspaceGrepMatch[]>;
  writeFile(path: string, content: WriteFileContent, options?: WriteFileOptions): Promise<void>;
  mkdir(path: string, options?: MkdirOptions): Promise<void>;
  rm(path: string, options?: RmOptions): Promise<void>;
  rename(oldPath: string, newPath: string): Promise<void>;
  chmod(path: string, mode: number): Promise<void>;
  symlink(target: string, path: string): Promise<void>;
  [Symbol.dispose](): void;
}

interface ExecOptions<E extends ExecEncoding> {
  id?: string | undefined;
  backend?: string | undefined;
  cwd?: string | undefined;
  encoding?: E | undefined;
  input?: Value | undefined;
  env?: Record<string, string> | undefined;
  stdin?: string | Uint8Array | undefined;
  timeoutMs?: number | undefined;
  sync?: "wait" | "defer" | undefined;
  output?: false | { readonly maxLines?: number | undefined; readonly maxBytes?: number | undefined } | undefined;
}

interface GetOptions<E extends ExecEncoding> {
  backend?: string | undefined;
  encoding?: E | undefined;
  resume?: number | "tail" | "full" | undefined;
  output?: false | { readonly maxLines?: number | undefined; readonly maxBytes?: number | undefined } | undefined;
}

interface HandleStub<E extends ExecEncoding> {
  readonly id: string;
  readonly backend: string;
  result(): Promise<ours.WorkspaceRuntimeResult<E>>;
  stream(): ReadableStream<Uint8Array>;
  kill(signal?: Signal): Promise<void>;
  [Symbol.dispose](): void;
}

interface RuntimeStub {
  backends(): ours.WorkspaceBackendInfo[];
  exec(source: string): Promise<ours.WorkspaceRuntimeExecHandleStub<undefined>>;
  exec(source: string, options: ExecOptions<"utf8">): Promise<ours.WorkspaceRuntimeExecHandleStub<"utf8">>;
  exec(source: string, options: ExecOptions<undefined>): Promise<ours.WorkspaceRuntimeExecHandleStub<undefined>>;
  getExec(id: string): Promise<ours.WorkspaceRuntimeExecHandleStub<undefined>>;
  getExec(id: string, options: GetOptions<"utf8">): Promise<ours.WorkspaceRuntimeExecHandleStub<"utf8">>;
  getExec(id: string, options: GetOptions<undefined>): Promise<ours.WorkspaceRuntimeExecHandleStub<undefined>>;
  killExec(id: string, options?: { backend?: string | undefined; signal?: Signal | undefined }): Promise<void>;
  disposeExec(id: string, options?: { backend?: string }): Promise<void>;
  [Symbol.dispose](): void;
}

interface Runtime {
  isCallable(id: string): boolean;
  backends(): ours.WorkspaceBackendInfo[];
  exec(source: string): Promise<Handle<undefined>>;
  exec(source: string, options: ExecOptions<"utf8">): Promise<Handle<"utf8">>;
  exec(source: string, options: ExecOptions<undefined>): Promise<Handle<undefined>>;
  exec(source: string, options: ExecOptions<ExecEncoding>): Promise<Handle<ExecEncoding>>;
  getExec(id: string): Promise<Handle<undefined>>;
  getExec(id: string, options: GetOptions<"utf8">): Promise<Handle<"utf8">>;
  getExec(id: string, options: GetOptions<undefined>): Promise<Handle<undefined>>;
  getExec(id: string, options: GetOptions<ExecEncoding>): Promise<Handle<ExecEncoding>>;
  killExec(id: string, options?: { backend?: string | undefined; signal?: Signal | undefined }): Promise<void>;
  disposeExec(id: string, options?: { backend?: string | undefined }): Promise<void>;
}

interface Workspace {
  readonly db: ours.Workspace["db"];
  readonly observer: ours.WorkspaceObserver;
  readonly fs: WorkspaceFilesystem;
  readonly sessionId: string;
  readonly git: GitClient;
  readonly artifacts: ArtifactClient;
  readonly assets: AssetsClient | undefined;
  /** 0.8.0 has no options. */
  ensureMountsIndexed(options?: { refresh?: boolean }): Promise<void>;
  mounts(): Map<string, ours.Mount>;
  readonly runtime: Runtime;
  provider(): ours.SQLiteWorkspaceProvider;
  ready(options?: string | { all?: boolean }): Promise<void>;
  stub(): ours.WorkspaceStub;
  pull(id?: string): AsyncIterable<ours.SyncProgress>;
  push(id?: string): AsyncIterable<ours.SyncProgress>;
  close(): Promise<void>;
}

interface Result<E extends ExecEncoding> {
  status: "completed" | "failed" | "cancelled";
  exitCode: number;
  stdout: Chunk<E>;
  stderr: Chunk<E>;
  value?: Value;
  truncated?: { stdout?: ours.TruncatedOutput; stderr?: ours.TruncatedOutput };
  pushed: number;
  pulled: number;
  skipped: { path: string; mountRoot: string; op: "write" | "delete"; reason: "read-only" }[];
  sync: ours.ExecSyncResult;
}

type Event<E extends ExecEncoding> =
  | { id: string; seq: number; name: "stdout"; value: Chunk<E> }
  | { id: string; seq: number; name: "stderr"; value: Chunk<E> }
  | {
      id: string;
      seq: number;
      name: "exit";
      code: number;
      result?: Value;
      truncated?: { stdout?: ours.TruncatedOutput; stderr?: ours.TruncatedOutput };
    };

interface FileStore {
  readonly lockIdentity: object;
  stat(path: string): Promise<{ size: number; mtime: number; mode?: number | undefined } | null>;
  readAll(path: string): Promise<Uint8Array | null>;
  write(path: string, content: Uint8Array, opts?: { mode?: number }): Promise<void>;
  remove(path: string, opts?: { recursive?: boolean; force?: boolean }): Promise<void>;
  readChunks(path: string, byteOffset?: number, byteLength?: number): AsyncIterable<Uint8Array>;
}

interface Container {
  readonly type: "cloudflare-container";
  readonly description: string;
  readonly id: string;
  connect(): Promise<ours.BackendHandle>;
  handleFetch(req: Request): Promise<Response>;
}

same<Same<ours.Workspace, Workspace>>();
same<Same<ours.Workspace["runtime"], Runtime>>();
/** `usage` is an addition of ours. */
same<Same<Omit<ours.WorkspaceStub["fs"], "usage">, FilesystemStub>>();
same<Same<ours.WorkspaceStub["runtime"], RuntimeStub>>();
same<Same<ours.WorkspaceRuntimeExecHandleStub<"utf8">, HandleStub<"utf8">>>();
same<Same<ours.WorkspaceRuntimeExecHandle<"utf8">, Handle<"utf8">>>();
same<Same<ours.WorkspaceRuntimeResult<"utf8">, Result<"utf8">>>();
same<Same<ours.WorkspaceRuntimeResult<undefined>, Result<undefined>>>();
same<Same<ours.WorkspaceRuntimeEvent<"utf8">, Event<"utf8">>>();
same<Same<ours.WorkspaceFileStore, FileStore>>();
same<Same<ours.TestBackend, { readonly type: "test"; readonly id: string; connect(): Promise<ours.BackendHandle> }>>();
same<Same<container.ContainerBackend, Container>>();
same<Same<ours.LazyWorkspaceClient["runtime"], ours.WorkspaceRuntimeClient>>();

// The checks can fail: each of these is wrong in one way.
// @ts-expect-error a member is missing
same<Same<ours.Workspace, Workspace & { readonly more: string }>>();
// @ts-expect-error a parameter is wider
same<Same<{ f(a: string): void }, { f(a: string | number): void }>>();
// @ts-expect-error a result is any
// biome-ignore lint/suspicious/noExplicitAny: it is what must be found
same<Same<{ f(): Promise<any> }, { f(): Promise<string> }>>();

/** The Worker that scripts run in. */

import { WorkerEntrypoint } from "cloudflare:workers";
import { ComputerError, type KillSignal } from "@cloudflare/computer-rpc";
import type { CustomCommand, IFileSystem, SecureFetch } from "just-bash";
import { absolutePath } from "../files/absolute-path.ts";
import { textOf } from "./engine/byte-string.ts";
import { RemoteFiles } from "./files/remote-files.ts";
import type { CommandHost } from "./host/host-commands.ts";
import { isolateFetch } from "./network.ts";
import { runShell } from "./run-shell.ts";
import { ShellExec } from "./shell-exec.ts";
import type { ExecWithFiles, HostWorkspaceStub, ShellWorkerEnv } from "./shell-types.ts";
import { WorkspaceFsAdapter } from "./workspace-fs-adapter.ts";

const ROOT = "/workspace";

export interface ShellWorkerOptions {
  /** Where scripts run that do not say where. Default `/workspace`. */
  cwd?: string | undefined;
  /** What `curl` goes through; null takes it away. Default the isolate's own `fetch`. */
  fetch?: SecureFetch | null | undefined;
}

/** Stands in for the interpreter, e.g. in tests. */
export type BashFactory = (
  command: string,
  options: {
    cwd?: string;
    env?: Record<string, string>;
    stdin?: Uint8Array;
    signal?: AbortSignal;
    customCommands: CustomCommand[];
  },
) => Promise<{ stdout: string; stderr: string; exitCode: number }>;

/** The runs of this isolate by id. */
const runs = new Map<string, ShellExec>();
const KEPT_RUNS = 50;

/**
 * Runs shell scripts over a workspace's files. Extend it for commands of your own.
 *
 * @example
 * export default class Shell extends ShellWorker {
 *   override extraCommands() {
 *     return [defineCommand("hello", async () => ({ stdout: "hello\n", stderr: "", exitCode: 0 }))];
 *   }
 * }
 */
export class ShellWorker<Env extends ShellWorkerEnv = ShellWorkerEnv> extends WorkerEntrypoint<Env> {
  readonly shellOptions: ShellWorkerOptions = {};
  bashFactoryOverride: BashFactory | undefined = undefined;

  /** Commands beside those that there are; one of the same name takes precedence. */
  extraCommands(_ws: HostWorkspaceStub): CustomCommand[] {
    return [];
  }

  override async fetch(_request: Request): Promise<Response> {
    return new Response("This Worker runs shell scripts over RPC: call exec().\n", { status: 404 });
  }

  /** Starts a script. Its events come as lines of JSON, for `decodeExecEvents`. */
  async exec(input: ExecWithFiles): Promise<{ id: string; events: ReadableStream<Uint8Array> }> {
    const id = input.id ?? crypto.randomUUID();
    if (runs.has(id)) throw new ComputerError("EEXEC_EXISTS", `A run with the id '${id}' was already started here.`);
    const exec = new ShellExec(id);
    runs.set(id, exec);
    // What a call was given goes with its answer, unless it is kept by a second stub.
    const kept = { ...input, files: input.files?.dup?.() ?? input.files, host: input.host?.dup?.() ?? input.host };
    this.ctx.waitUntil(exec.run(input.timeoutMs, (signal) => this.#run(kept, exec, signal)));
    for (const [old, { over }] of runs) {
      if (runs.size <= KEPT_RUNS) break;
      if (over) runs.delete(old);
    }
    return { id, events: exec.events() };
  }

  /** The events of a run of this isolate, from the first. */
  async getExec({ id }: { id: string }): Promise<{ id: string; events: ReadableStream<Uint8Array> }> {
    return { id, events: find(id).events() };
  }

  /** Ends a run of this isolate. Does nothing to one that has ended. */
  async killExec({ id, signal = "SIGTERM" }: { id: string; signal?: KillSignal }): Promise<void> {
    find(id).kill(signal);
  }

  async #run(input: ExecWithFiles, exec: ShellExec, signal: AbortSignal): Promise<number> {
    using host = await this.#host(input);
    const cwd = absolutePath(this.shellOptions.cwd ?? ROOT, input.cwd ?? ".");
    const commands = host.stub === undefined ? [] : this.extraCommands(host.stub);
    if (this.bashFactoryOverride !== undefined) {
      const { env, stdin } = input;
      const result = await this.bashFactoryOverride(input.command, {
        cwd,
        signal,
        customCommands: commands,
        ...(env === undefined ? {} : { env }),
        ...(stdin === undefined ? {} : { stdin }),
      });
      exec.write("stdout", new TextEncoder().encode(result.stdout));
      exec.write("stderr", new TextEncoder().encode(result.stderr));
      return result.exitCode;
    }
    const { fetch = isolateFetch } = this.shellOptions;
    return await runShell({
      command: input.command,
      cwd,
      env: input.env ?? {},
      stdin: input.stdin,
      signal,
      files: host.files,
      commands,
      host: host.commands,
      fetch,
      write: (stream, bytes) => exec.write(stream, bytes),
    });
  }

  /** The workspace: its files where the backend gave them along, else whatever `HOST` hands out. */
  async #host({ files, host }: ExecWithFiles): Promise<RunHost> {
    if (files !== undefined) {
      return {
        stub: undefined,
        files: new RemoteFiles(files),
        commands: host && {
          artifacts: { cli: (input) => host.artifacts(input) },
          git: { cli: (line) => host.git(line) },
          assets: { publish: (path, options) => host.publish(path, options) },
        },
        [Symbol.dispose]: () => {
          files[Symbol.dispose]?.();
          host?.[Symbol.dispose]?.();
        },
      };
    }
    const stub = await this.env.HOST.getWorkspace();
    return {
      stub,
      files: new ShellFsAdapter(stub.fs),
      commands: stub,
      [Symbol.dispose]: () => stub[Symbol.dispose]?.(),
    };
  }
}

/** The workspace that a run is of. */
interface RunHost extends Disposable {
  readonly stub: HostWorkspaceStub | undefined;
  readonly files: IFileSystem;
  readonly commands: CommandHost | undefined;
}

/** The adapter as the interpreter wants it, bytes that are not UTF-8 kept in what it reads as text. */
class ShellFsAdapter extends WorkspaceFsAdapter {
  override async readFile(path: string): Promise<string> {
    return textOf(await this.readFileBuffer(path));
  }
}

function find(id: string): ShellExec {
  const exec = runs.get(id);
  if (exec !== undefined) return exec;
  throw new ComputerError(
    "EEXEC_LOST",
    `This isolate does not know the run '${id}': it ran in another one, or long ago.`,
  );
}

/** `exec`: a command or a module on a computer of the workspace. */

import { WORKSPACE_ROOT } from "@cloudflare/computer-rpc";
import { z } from "zod";
import type { WorkspaceRuntimeTruncation, WorkspaceRuntimeValue } from "../../runtime/event.ts";
import { shellQuote } from "../../runtime/shell-quote.ts";
import { reasonOf } from "./define-tool.ts";
import { describeBackends, type OfferedBackend, offeredBackends } from "./exec-backends.ts";
import { describeExec, KeptOutput } from "./exec-output.ts";
import type {
  ExecCallContext,
  ExecDefinition,
  ExecInput,
  ExecRuntimeHandle,
  ExecStreamEvent,
  ExecToolOptions,
  ExecToolOutput,
} from "./exec-types.ts";
import { toolInput } from "./tool-input.ts";
import { EXEC_BYTES, EXEC_LINES, EXEC_LIVE, EXEC_LIVE_MS } from "./tool-limits.ts";
import { toolPath } from "./tool-path.ts";

const fields = z.object({
  command: z.string().min(1).describe("The command line, or the source of a module where the backend takes one."),
  cwd: z.string().min(1).optional().describe("The directory to run in, the workspace's root unless given."),
  backend: z.string().min(1).optional().describe("The backend to run on, the default unless given."),
  env: z.record(z.string(), z.string()).optional().describe("Environment variables of this run."),
  input: z.record(z.string(), z.json()).optional().describe("Structured input, for a backend that takes it."),
  timeout: z.number().positive().optional().describe("Seconds until the command is ended."),
});

/**
 * The tool `exec` over a workspace.
 *
 * @example
 * const { execute } = defineExec({ workspace });
 * for await (const output of execute({ command: "npm test" })) console.log(output);
 */
export function defineExec(options: ExecToolOptions, root: string = WORKSPACE_ROOT): ExecDefinition {
  const backends = offeredBackends(options.workspace, options.backends);
  const { inputSchema, prepareArguments, refusal } = toolInput<ExecInput>({
    tool: "exec",
    fields,
    bare: "command",
    aliases: { cmd: "command", script: "command", code: "command", source: "command", workdir: "cwd" },
    reshape: (given) =>
      isWords(given.command) ? { ...given, command: given.command.map(shellQuote).join(" ") } : given,
    example: { command: "ls -l" },
  });
  return {
    name: "exec",
    description: `Runs a command and waits for its end. Output over ${options.maxLines ?? EXEC_LINES} lines or ${options.maxBytes ?? EXEC_BYTES} bytes keeps its end, and all of it is in a file that the result names.${describeBackends(backends)}`,
    readOnly: false,
    inputSchema,
    prepareArguments,
    describe: describeExec,
    execute: (input, context = {}) => {
      const call = {
        command: input.command ?? "",
        cwd: input.cwd ?? null,
        backend: input.backend ?? backends[0]?.id ?? "default",
      };
      const refused = refusal(input) ?? refusedBackend(input, backends);
      return refused === undefined ? run(options, root, input, call, context) : failed({ ...call, error: refused });
    },
  };
}

type Call = Pick<ExecToolOutput, "command" | "cwd" | "backend">;

async function* failed(output: ExecToolOutput): AsyncGenerator<ExecToolOutput> {
  yield output;
}

function refusedBackend({ backend }: ExecInput, backends: readonly OfferedBackend[]): string | undefined {
  if (backend === undefined || backends.length === 0 || backends.some(({ id }) => id === backend)) return undefined;
  return `There is no backend ${backend}, and nothing was run. There are: ${backends.map(({ id }) => id).join(", ")}.`;
}

async function* run(
  options: ExecToolOptions,
  root: string,
  input: ExecInput,
  call: Call,
  { abortSignal }: ExecCallContext,
): AsyncGenerator<ExecToolOutput> {
  abortSignal?.throwIfAborted();
  let handle: ExecRuntimeHandle;
  try {
    handle = await options.workspace.runtime.exec(input.command, runOptions(options, root, input));
  } catch (error) {
    yield { ...call, error: reasonOf(error) };
    return;
  }
  const kill = (): void => void handle.kill?.().catch(() => undefined);
  abortSignal?.addEventListener("abort", kill, { once: true });
  // The signal may have come while the run was started.
  if (abortSignal?.aborted === true) kill();
  let ended = false;
  try {
    yield* follow(handle, options, call);
    ended = true;
  } catch (error) {
    ended = true;
    abortSignal?.throwIfAborted();
    yield { ...call, error: reasonOf(error) };
  } finally {
    abortSignal?.removeEventListener("abort", kill);
    if (!ended) kill();
    dispose(handle);
  }
  abortSignal?.throwIfAborted();
}

function runOptions(
  { backends, maxBytes = EXEC_BYTES, maxLines = EXEC_LINES }: ExecToolOptions,
  root: string,
  { cwd, env, input, timeout, backend = backends === undefined ? undefined : Object.keys(backends)[0] }: ExecInput,
): Parameters<ExecToolOptions["workspace"]["runtime"]["exec"]>[1] {
  return {
    encoding: "utf8",
    output: { maxBytes, maxLines },
    ...(cwd === undefined ? {} : { cwd: toolPath(cwd, root) }),
    ...(backend === undefined ? {} : { backend }),
    ...(env === undefined ? {} : { env }),
    ...(input === undefined ? {} : { input: input as WorkspaceRuntimeValue }),
    ...(timeout === undefined ? {} : { timeoutMs: Math.ceil(timeout * 1000) }),
  };
}

/** What is told of a run: how far it is, now and then, and how it ended. */
async function* follow(
  handle: ExecRuntimeHandle,
  options: ExecToolOptions,
  call: Call,
): AsyncGenerator<ExecToolOutput> {
  if (handle[Symbol.asyncIterator] === undefined) {
    const { exitCode, stdout, stderr, value, truncated } = await handle.result();
    yield ended(call, exitCode, { stdout, stderr }, value, truncated);
    return;
  }
  const { maxBytes = EXEC_BYTES, maxLines = EXEC_LINES, streamMaxBytes = EXEC_LIVE, now = Date.now } = options;
  const stdout = new KeptOutput({ maxBytes, maxLines });
  const stderr = new KeptOutput({ maxBytes, maxLines });
  let shownAt = now();
  for await (const event of handle as AsyncIterable<ExecStreamEvent>) {
    if (event.name === "exit") {
      const truncated = { ...cutOf("stdout", stdout), ...cutOf("stderr", stderr), ...event.truncated };
      yield ended(call, event.code, { stdout: stdout.text, stderr: stderr.text }, event.result, truncated);
      return;
    }
    (event.name === "stdout" ? stdout : stderr).add(event.value);
    if (now() - shownAt < EXEC_LIVE_MS) continue;
    shownAt = now();
    yield { ...call, exitCode: null, stdout: stdout.end(streamMaxBytes), stderr: stderr.end(streamMaxBytes) };
  }
  yield { ...call, error: "The run's events ended without its exit. Look at what it did before running it again." };
}

function cutOf(name: "stdout" | "stderr", output: KeptOutput): WorkspaceRuntimeTruncation {
  const { cut } = output;
  return cut === undefined ? {} : { [name]: cut };
}

function ended(
  call: Call,
  exitCode: number,
  outputs: { stdout: string; stderr: string },
  result: unknown,
  truncated: WorkspaceRuntimeTruncation | undefined,
): ExecToolOutput {
  const cut = truncated !== undefined && Object.keys(truncated).length > 0;
  return {
    ...call,
    exitCode,
    ...outputs,
    ...(result === undefined ? {} : { result }),
    ...(cut ? { truncated } : {}),
  };
}

function isWords(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === "string");
}

function dispose(handle: ExecRuntimeHandle): void {
  if (Symbol.dispose in handle) (handle as Disposable)[Symbol.dispose]();
}

/** `ws:container`: scripts run commands on another computer of their workspace, as a rule its Linux container. */

import { FsError } from "@cloudflare/dofs";
import { z } from "zod";
import type { WorkspaceModuleCallContext, WorkspaceModuleFactory } from "../backends/worker-javascript/module-types.ts";
import { checkOptions } from "../options/check-options.ts";
import type { WorkspaceRuntimeExecHandle } from "../runtime/exec-handle.ts";

export interface ContainerModuleOptions {
  /** The id of the computer that runs the commands. Default `container-shell`. */
  readonly backend?: string | undefined;
  /** Bytes of stdout and of stderr that a script is given at most, the last ones. Default 65,536. */
  readonly maxOutputBytes?: number | undefined;
  /** Lines of stdout and of stderr that a script is given at most, the last ones. Default 2000. */
  readonly maxOutputLines?: number | undefined;
  /** Shell text that runs before each command, in the same shell, e.g. `"set -e"`. */
  readonly prelude?: string | undefined;
}

const options: z.ZodObject = z.strictObject({
  backend: z.string().min(1).optional(),
  maxOutputBytes: z.int().positive().optional(),
  maxOutputLines: z.int().positive().optional(),
  prelude: z.string().optional(),
});

const execArguments = z.tuple([
  z.string().min(1),
  z
    .strictObject({
      cwd: z.string().optional(),
      env: z.record(z.string(), z.string()).optional(),
      stdin: z.string().optional(),
      timeoutMs: z.number().positive().optional(),
    })
    .optional(),
]);

/**
 * A host module with `exec(command, { cwd, env, stdin, timeoutMs })`, which runs a command to its end and gives `status`, `exitCode`,
 * `stdout`, `stderr`, and `truncated` where an output was longer than a script is given. A relative `cwd` is below the root that scripts
 * are confined to; commands themselves are not confined. A command ends with the script's own run at the latest. Scripts with read access
 * cannot run commands (`EACCES`).
 *
 * @example
 * new WorkerJavaScriptBackend({ loader: env.LOADER, modules: { "ws:container": createContainerModule() } });
 * // In a script: import { exec } from "ws:container"; export default async () => (await exec("uname -s")).stdout;
 */
export function createContainerModule(given: ContainerModuleOptions = {}): WorkspaceModuleFactory {
  checkOptions(options, given, "createContainerModule");
  const { backend = "container-shell", maxOutputBytes, maxOutputLines, prelude } = given;
  const factory: WorkspaceModuleFactory = ({ runtime }) => ({
    exec: async (args, context) => {
      const asked = execArguments.safeParse(args.length === 1 ? [...args, undefined] : args);
      if (!asked.success) {
        throw new TypeError(
          `exec(command, options?) of ws:container takes a command, and { cwd, env, stdin, timeoutMs: 60000 }: ${z.prettifyError(asked.error)}`,
        );
      }
      if (context.access === "read") {
        throw new FsError("EACCES", { detail: "this run may only read, and a command can change things" });
      }
      const [command, { cwd = ".", ...rest } = {}] = asked.data;
      using run = await runtime.exec(prelude === undefined ? command : `${prelude}\n${command}`, {
        ...rest,
        backend,
        encoding: "utf8",
        cwd: await context.resolvePath(cwd),
        output: { maxBytes: maxOutputBytes, maxLines: maxOutputLines },
      });
      using _ = endsWith(context, () => runtime.killExec(run.id, { backend }));
      return plain(await run.result());
    },
  });
  return Object.assign(factory, {
    description: "exec(command, { cwd, env, stdin, timeoutMs }) runs a shell command in the Linux computer",
  });
}

type Result = Awaited<ReturnType<WorkspaceRuntimeExecHandle<"utf8">["result"]>>;

/** What a script is told of a run: data that JSON can carry. */
function plain({ status, exitCode, stdout, stderr, truncated }: Result): object {
  return { status, exitCode, stdout, stderr, ...(truncated === undefined ? {} : { truncated }) };
}

/** Kills the command when the script's call ends before it. */
function endsWith({ signal }: WorkspaceModuleCallContext, kill: () => Promise<void>): Disposable {
  // The command may be over by then, which is what was wanted.
  const stop = (): void => void kill().catch(() => undefined);
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
  return { [Symbol.dispose]: () => signal.removeEventListener("abort", stop) };
}

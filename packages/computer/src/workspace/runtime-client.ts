/** The runtime of a workspace in reach of a client. */

import { ComputerError } from "@cloudflare/computer-rpc";
import type { WorkspaceBackendInfo } from "../computer/backend-info.ts";
import type { ExecEncoding } from "../runtime/event.ts";
import type { WorkspaceRuntimeExecHandle } from "../runtime/exec-handle.ts";
import { type ShellValue, sh } from "../runtime/shell-quote.ts";
import { remoteHandle } from "./remote-run.ts";
import type {
  RuntimeExecOptions,
  RuntimeGetOptions,
  RuntimeKillOptions,
  WorkspaceRuntimeClient,
} from "./workspace-client.ts";
import type { WorkspaceLink } from "./workspace-link.ts";

type AnyHandle = WorkspaceRuntimeExecHandle<ExecEncoding>;
type ListedBackends = readonly WorkspaceBackendInfo[];

export class RuntimeClient implements WorkspaceRuntimeClient {
  readonly #link: WorkspaceLink;

  constructor(link: WorkspaceLink) {
    this.#link = link;
  }

  exec(strings: TemplateStringsArray, ...values: ShellValue[]): Promise<WorkspaceRuntimeExecHandle<"utf8">>;
  exec(source: string): Promise<WorkspaceRuntimeExecHandle<undefined>>;
  exec(source: string, options: RuntimeExecOptions & { encoding: "utf8" }): Promise<WorkspaceRuntimeExecHandle<"utf8">>;
  exec(
    source: string,
    options: RuntimeExecOptions & { encoding?: undefined },
  ): Promise<WorkspaceRuntimeExecHandle<undefined>>;
  exec(source: string, options: RuntimeExecOptions): Promise<AnyHandle>;
  exec(first: string | TemplateStringsArray, ...rest: unknown[]): Promise<AnyHandle> {
    if (Array.isArray(first))
      return this.#exec(sh(first as TemplateStringsArray & string[], ...(rest as ShellValue[])), { encoding: "utf8" });
    return this.#exec(first as string, (rest[0] ?? {}) as RuntimeExecOptions);
  }

  getExec(id: string): Promise<WorkspaceRuntimeExecHandle<undefined>>;
  getExec(id: string, options: RuntimeGetOptions & { encoding: "utf8" }): Promise<WorkspaceRuntimeExecHandle<"utf8">>;
  getExec(id: string, options?: RuntimeGetOptions): Promise<AnyHandle>;
  getExec(id: string, options: RuntimeGetOptions = {}): Promise<AnyHandle> {
    return this.#link.use((found) =>
      "local" in found
        ? found.local.runtime.getExec(id, options)
        : remoteHandle(found.remote.runtime.getExec(id, options)),
    );
  }

  killExec(id: string, options: RuntimeKillOptions = {}): Promise<void> {
    return this.#link.use((found) =>
      "local" in found ? found.local.runtime.killExec(id, options) : found.remote.runtime.killExec(id, options),
    );
  }

  disposeExec(id: string, options: { backend?: string } = {}): Promise<void> {
    return this.#link.use((found) =>
      "local" in found ? found.local.runtime.disposeExec(id, options) : found.remote.runtime.disposeExec(id, options),
    );
  }

  backends(): ListedBackends {
    const here = this.#link.here;
    if (here !== undefined) return here.runtime.backends();
    return awaitedList(
      this.#link.use((found) => ("local" in found ? found.local.runtime.backends() : found.remote.runtime.backends())),
    );
  }

  #exec(source: string, options: RuntimeExecOptions): Promise<AnyHandle> {
    return this.#link.use((found) =>
      "local" in found
        ? found.local.runtime.exec(source, options)
        : remoteHandle(found.remote.runtime.exec(source, options)),
    );
  }
}

/** A list on its way: `await` gives it, and reading it before that is an error rather than an empty list. */
function awaitedList(coming: Promise<ListedBackends>): ListedBackends {
  return new Proxy<ListedBackends>([], {
    get(_, key) {
      if (key === "then") return coming.then.bind(coming);
      throw new ComputerError(
        "EOPTION",
        "This workspace is in another isolate: write `await client.runtime.backends()`.",
      );
    },
  });
}

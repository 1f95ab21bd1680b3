/** A computer of a user's own, as the API of 0.8.0 lets one write it: each line of a source is a thing to do. */

import type {
  ModuleExecutionEnvelope,
  ModuleExecutionInput,
  WorkspaceModuleBackend,
  WorkspaceModuleBackendHandle,
  WorkspaceModuleBackendHost,
  WorkspaceRuntimeEvent,
  WorkspaceRuntimeValue,
} from "@cloudflare/computer";

type Event = WorkspaceRuntimeEvent<undefined>;

/**
 * Knows `out TEXT`, `err TEXT`, `lines COUNT`, `split TEXT` (a piece a byte), `write PATH TEXT`, `env NAME`, `stdin`, `input`,
 * `value JSON`, `exit CODE`, `fail TEXT` and `hang`.
 */
export class ScriptedComputer implements WorkspaceModuleBackend {
  readonly protocol = "module";
  readonly type = "scripted";
  readonly id: string;
  readonly callable = true;
  readonly description = "runs a script, line by line";

  constructor(id: string) {
    this.id = id;
  }

  async connect(host: WorkspaceModuleBackendHost): Promise<WorkspaceModuleBackendHandle> {
    const runs = new Map<string, { events: Event[]; kill: () => void }>();
    return {
      async exec(input) {
        const id = input.id ?? crypto.randomUUID();
        const run = { events: [] as Event[], kill: () => {} };
        runs.set(id, run);
        return { id, events: ReadableStream.from(perform(id, input, host, run)) } satisfies ModuleExecutionEnvelope;
      },
      async getExec({ id, after }) {
        const run = runs.get(id);
        if (run === undefined) throw Object.assign(new Error(`no run ${id}`), { code: "ENOENT" });
        const from = typeof after === "number" ? after : -1;
        return { id, events: ReadableStream.from(run.events.filter(({ seq }) => seq > from)) };
      },
      async killExec({ id }) {
        runs.get(id)?.kill();
      },
      async disposeExec({ id }) {
        runs.delete(id);
      },
    };
  }
}

async function* perform(
  id: string,
  { source, env = {}, stdin, input }: ModuleExecutionInput,
  { fs }: WorkspaceModuleBackendHost,
  run: { events: Event[]; kill: () => void },
): AsyncGenerator<Event> {
  const killed = new Promise<"killed">((resolve) => {
    run.kill = () => resolve("killed");
  });
  let seq = 0;
  let code = 0;
  let result: WorkspaceRuntimeValue | undefined;
  const said = (name: "stdout" | "stderr", value: string | Uint8Array): Event => {
    const bytes = typeof value === "string" ? new TextEncoder().encode(value) : value;
    const event: Event = { id, seq: seq++, name, value: bytes as Uint8Array<ArrayBuffer> };
    run.events.push(event);
    return event;
  };
  for (const line of source.split("\n")) {
    const [, verb = "", rest = ""] = /^(\S+) ?(.*)$/.exec(line.trim()) ?? [];
    if (verb === "out") yield said("stdout", `${rest}\n`);
    else if (verb === "err") yield said("stderr", `${rest}\n`);
    else if (verb === "env") yield said("stdout", `${env[rest] ?? "unset"}\n`);
    else if (verb === "stdin") yield said("stdout", stdin ?? "none");
    else if (verb === "input") yield said("stdout", JSON.stringify(input ?? null));
    else if (verb === "lines") {
      for (let at = 0; at < Number(rest); at++) yield said("stdout", `line ${at}\n`);
    } else if (verb === "split") {
      for (const byte of new TextEncoder().encode(rest)) yield said("stdout", Uint8Array.of(byte));
    } else if (verb === "write") await fs.writeFile(rest.split(" ")[0]!, rest.split(" ").slice(1).join(" "));
    else if (verb === "value") result = JSON.parse(rest) as WorkspaceRuntimeValue;
    else if (verb === "exit") code = Number(rest);
    else if (verb === "fail") throw new Error(rest);
    else if (verb === "hang" && (await killed) === "killed") code = 143;
  }
  const exit: Event = { id, seq: seq++, name: "exit", code, ...(result === undefined ? {} : { result }) };
  run.events.push(exit);
  yield exit;
}

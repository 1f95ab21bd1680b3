import { env, runInDurableObject } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { WorkerShellBackend } from "../src/backends/worker-shell/index.ts";
import { Workspace } from "../src/index.ts";
import file from "../src/shell/file.ts";
import jq from "../src/shell/jq.ts";
import { differences } from "./shell-differential/differences.ts";
import { fixture } from "./shell-differential/fixture.ts";
import recording from "./shell-differential/recorded.json";
import { type Recorded, topics } from "./shell-differential/scripts.ts";

interface Given {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

const scripts = recording.scripts as readonly Recorded[];

/** Runs scripts one after the other, each in a directory with the suite's files. */
async function replay(topic: string, each: (recorded: Recorded, given: Given) => void): Promise<void> {
  await runInDurableObject(env.BARE.get(env.BARE.newUniqueId()), async (_object, { storage, id }) => {
    const backend = new WorkerShellBackend({
      loader: env.LOADER,
      workspace: { binding: "BARE", id: id.toString() },
      commands: [jq, file],
    });
    const workspace = new Workspace({ storage, backends: [backend] });
    let number = 0;
    for (const recorded of scripts.filter((script) => script.topic === topic)) {
      const cwd = `/workspace/${++number}`;
      await workspace.fs.mkdir(`${cwd}/d/sub`, { recursive: true });
      for (const [path, content] of Object.entries(fixture)) await workspace.fs.writeFile(`${cwd}/${path}`, content);
      using handle = await workspace.runtime.exec(recorded.script, { cwd, output: false, timeoutMs: 20_000 });
      const { exitCode, stdout, stderr } = await handle.result();
      each(recorded, { code: exitCode, stdout: Buffer.from(stdout), stderr: Buffer.from(stderr).toString() });
    }
    await workspace.close();
  });
}

function bytesOf({ stdout }: Recorded): Buffer {
  return typeof stdout === "string" ? Buffer.from(stdout) : Buffer.from(stdout.base64, "base64");
}

function same(recorded: Recorded, given: Given): boolean {
  const silent = (recorded.stderr === "") === (given.stderr === "");
  return given.code === recorded.code && given.stdout.equals(bytesOf(recorded)) && silent;
}

describe("scripts give what bash and GNU tools gave", () => {
  test("there are more than 300, and every difference names one of them", () => {
    expect(scripts.length).toBeGreaterThan(300);
    const known = new Set(scripts.map(({ script }) => script));
    expect(Object.keys(differences).filter((script) => !known.has(script))).toEqual([]);
  });

  for (const topic of topics) {
    test(topic, { timeout: 240_000 }, async () => {
      const wrong: unknown[] = [];
      await replay(topic, (recorded, given) => {
        const { script } = recorded;
        const [kind] = differences[script] ?? [];
        const told = { script, given: { ...given, stdout: given.stdout.toString() } };
        if (kind === undefined && !same(recorded, given)) wrong.push({ ...told, wanted: recorded });
        // A difference that is no more is to be struck off the list; what is refused says so.
        if (kind !== undefined && same(recorded, given)) wrong.push({ ...told, wanted: "a difference" });
        if (kind === "refused" && given.stderr === "" && !/2> \/dev\/null/.test(script))
          wrong.push({ ...told, wanted: "a message" });
      });
      expect(wrong).toEqual([]);
    });
  }
});

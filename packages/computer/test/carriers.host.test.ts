/** The same promises over either carrier, on a real daemon and its mount. */

import { env, runInDurableObject } from "cloudflare:test";
import {
  type Carrier,
  CBOR_PROTOCOL,
  type ContentsRPC,
  carrierOf,
  connectDaemon,
  socketTransport,
} from "@cloudflare/computer-rpc";
import { SqlStore } from "@cloudflare/dofs";
import { afterAll, describe, expect, test } from "vitest";
import { computerdHost } from "../src/backends/container/index.ts";
import { type BackendHandle, Workspace, type WorkspaceBackend } from "../src/index.ts";
import { describeComputer, shellSources } from "../src/testing/suite/index.ts";

const MIB = 1024 * 1024;
const computers: Readonly<Record<Carrier, string>> = { text: crypto.randomUUID(), cbor: crypto.randomUUID() };

afterAll(async () => {
  const { url, token } = env.COMPUTER_HOST;
  for (const id of Object.values(computers)) {
    await fetch(`${url}/computers/${id}`, { method: "DELETE", headers: { "Computer-Host-Token": token } });
  }
});

/** Speaks with the daemon of one computer of the host over one carrier. */
class CarrierBackend implements WorkspaceBackend {
  readonly id = "remote";
  readonly type = "test";
  readonly #carrier: Carrier;
  readonly #ignore: readonly string[];

  constructor(carrier: Carrier, ignore: readonly string[] = []) {
    this.#carrier = carrier;
    this.#ignore = ignore;
  }

  async connect(): Promise<BackendHandle> {
    const host = await computerdHost({ ...env.COMPUTER_HOST, id: computers[this.#carrier] }).getWorkspaceContainer();
    const { clientSecret } = await host.start({ env: {}, enableInternet: true });
    const headers = new Headers({ Upgrade: "websocket", Authorization: `Bearer ${clientSecret}` });
    if (this.#carrier === "cbor") headers.set("Sec-WebSocket-Protocol", CBOR_PROTOCOL);
    const response = await host.fetchPort(8080, "http://computer/api", { headers });
    expect(carrierOf(response.headers.get("Sec-WebSocket-Protocol"))).toBe(this.#carrier);
    const socket = response.webSocket!;
    socket.accept();
    let source: ContentsRPC | undefined;
    const contents: ContentsRPC = { getChunks: async (hashes) => source?.getChunks(hashes) ?? [] };
    const { rpc, hello, closed, close } = await connectDaemon(socketTransport(socket, this.#carrier), { contents });
    return {
      rpc,
      runtimeId: hello.runtimeId,
      mount: hello.mount,
      tellsEnd: true,
      ignore: { patterns: this.#ignore, root: undefined, supported: hello.ignores === true },
      fetchFrom: (from) => {
        source = from;
      },
      closed,
      close: async () => close(),
    };
  }
}

async function over(
  carrier: Carrier,
  body: (workspace: Workspace) => Promise<void>,
  ignore?: readonly string[],
): Promise<void> {
  await runInDurableObject(env.BARE.get(env.BARE.newUniqueId()), async (_object, { storage }) => {
    const workspace = new Workspace({ storage, backends: [new CarrierBackend(carrier, ignore)] });
    try {
      await body(workspace);
    } finally {
      await workspace.close();
    }
  });
}

// The container's own suite is over CBOR.
describeComputer("a computer of a host over text", (body) =>
  over("text", (workspace) => body({ workspace, script: shellSources })),
);

describe.each<Carrier>(["text", "cbor"])("over %s", (carrier) => {
  test("X-04 a reader that waits makes the process wait, and gets everything", async () => {
    await over(carrier, async (workspace) => {
      using run = await workspace.runtime.exec("head -c 100M /dev/zero; echo > written; yes | head -c 1M >&2");
      const reader = run.getReader();
      let bytes = 0;
      const take = async (): Promise<boolean> => {
        const { value } = await reader.read();
        if (value?.name === "stdout" || value?.name === "stderr") bytes += value.value.length;
        else expect(value).toMatchObject({ name: "exit", code: 0 });
        return value?.name !== "exit";
      };
      await take();
      using beside = await workspace.runtime.exec("sleep 1; ls", { encoding: "utf8" });
      expect((await beside.result()).stdout).toBe("");
      while (await take());
      expect(bytes).toBe(101 * MIB);
      expect(await workspace.fs.exists("/workspace/written")).toBe(true);
    });
  });

  test("X-04 of a long output the end is in the result, the whole in a file, and the rest counted", async () => {
    await over(carrier, async (workspace) => {
      using run = await workspace.runtime.exec("yes | head -c 20M; echo end", { id: "longer", encoding: "utf8" });
      const { stdout, exitCode, truncated } = await run.result();
      expect(exitCode).toBe(0);
      expect(stdout).toMatch(/^(y\n){1999}end\n$/);
      const path = "/.computer/output/longer.stdout.txt";
      expect(truncated?.stdout).toMatchObject({
        status: "saved",
        path,
        totalBytes: 20 * MIB + 4,
        totalLines: 10 * MIB + 1,
      });
      expect((await workspace.fs.stat(path)).size).toBe(20 * MIB + 4);
    });
  });

  test("what is ignored stays in the computer, through runs that write to it", async () => {
    await over(
      carrier,
      async (workspace) => {
        using made = await workspace.runtime.exec("mkdir -p node_modules/a; echo 1 > node_modules/a/b; echo 2 > kept");
        expect(await made.result()).toMatchObject({ pulled: 1, sync: { status: "complete" } });
        expect((await workspace.fs.readdir("/workspace")).map(({ name }) => name)).toEqual(["kept"]);
        await workspace.fs.writeFile("/workspace/other", "3");
        using used = await workspace.runtime.exec("cat node_modules/a/b kept other", { encoding: "utf8" });
        expect(await used.result()).toMatchObject({ stdout: "1\n2\n3", pulled: 0 });
      },
      ["node_modules/"],
    );
  });

  test("a pipe and a name that is not UTF-8 stay in the computer, and are named", async () => {
    await over(carrier, async (workspace) => {
      using run = await workspace.runtime.exec(`mkfifo pipe; touch "$(printf 'b\\303d')" plain`);
      const { sync, pulled } = await run.result();
      expect(pulled).toBe(1);
      expect(sync).toMatchObject({
        status: "complete",
        leftOut: [
          { path: "/workspace/pipe", reason: "unsupported" },
          { path: "/workspace/b\ufffdd", reason: "unsupported" },
        ],
      });
    });
  });

  test("M-05 in a read-only root a command gets EROFS at once, and nothing of it reaches the workspace", async () => {
    await over(carrier, async (workspace) => {
      await workspace.fs.mkdir("/workspace/mount", { recursive: true });
      await workspace.fs.writeFile("/workspace/mount/f", "one");
      SqlStore.of(workspace.db).setReadOnlyRoots(["/workspace/mount"]);
      const source = "echo x > mount/f; mv mount/f g; ln -s f mount/l; chmod 600 mount/f; rm -r mount; cat mount/f";
      using run = await workspace.runtime.exec(source, { encoding: "utf8" });
      const { stdout, stderr, pulled } = await run.result();
      expect(stdout).toBe("one");
      expect(stderr.match(/Read-only file system/g)).toHaveLength(5);
      expect(pulled).toBe(0);
    });
  });
});

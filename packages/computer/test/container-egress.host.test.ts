import { env, runInDurableObject } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { ContainerBackend, computerdHost, type WorkspaceEgressPolicy } from "../src/backends/container/index.ts";
import { Workspace } from "../src/index.ts";

const { url, token } = env.COMPUTER_HOST;
/** A server of this machine's, outside of every computer. */
const outside = new URL(env.CONTAINER_YARD);
const asked: string[] = [];

const gateway = {
  async fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    asked.push(`${request.method} ${request.url}`);
    if (pathname === "/large") return new Response(new Uint8Array(3_000_000).fill(97));
    if (pathname === "/refused") return new Response("not allowed\n", { status: 403 });
    return Response.json({ body: await request.text(), agent: request.headers.get("X-Agent") }, { status: 201 });
  },
} as Partial<Fetcher> as Fetcher;

async function under(egress: WorkspaceEgressPolicy, body: (run: (source: string) => Promise<string>) => Promise<void>) {
  const stub = env.BARE.get(env.BARE.newUniqueId());
  await runInDurableObject(stub, async (_object, { storage, id }) => {
    const backend = new ContainerBackend({
      container: () => computerdHost({ url, token, id: id.toString() }),
      workspace: { binding: "BARE", id: id.toString() },
      egress,
    });
    const workspace = new Workspace({ storage, backends: [backend] });
    try {
      await body(async (source) => {
        using handle = await workspace.runtime.exec(source, { encoding: "utf8", timeoutMs: 30_000 });
        const { stdout, exitCode } = await handle.result();
        return `${exitCode} ${stdout}`.trimEnd();
      });
    } finally {
      await workspace.close();
      const headers = { "Computer-Host-Token": token };
      await fetch(`${url}/computers/${id}`, { method: "DELETE", headers });
    }
  });
}

const status = "curl -s -o /dev/null -m 10 -w '%{http_code}'";
const TCP = `bash -c 'exec 3<>/dev/tcp/${outside.hostname}/${outside.port} && echo open' 2>/dev/null`;
/** A question to a name server, which is UDP. */
const DNS = "getent hosts a-name-of-nobody.example";

describe("from inside of a computer of a host", () => {
  test("under none nothing gets out: not HTTP, HTTPS, TCP or DNS", async () => {
    await under({ mode: "none" }, async (run) => {
      expect(await run(`${status} ${outside}`)).toBe("7 000");
      expect(await run(`${status} https://${outside.host}/`)).toBe("7 000");
      expect(await run(TCP)).toBe("1");
      expect(await run(DNS)).toBe("2");
      expect(await run("ls /sys/class/net 2>/dev/null || cut -d: -f1 -s /proc/net/dev | tr -d ' '")).toMatch(/^0 lo$/);
    });
  });

  test("under direct it is the network of the machine", async () => {
    await under({ mode: "direct" }, async (run) => {
      expect(await run(`${status} ${outside}`)).toBe("0 404");
      // The server there speaks no TLS, and so it was reached.
      expect(await run(`${status} https://${outside.host}/`)).toBe("35 000");
      expect(await run(TCP)).toBe("0 open");
      expect(await run("cut -d: -f1 -s /proc/net/dev | wc -l")).not.toBe("0 1");
    });
  });

  test("under http-gateway HTTP goes to the gateway, and there is no other way", async () => {
    asked.length = 0;
    await under({ mode: "http-gateway", gateway }, async (run) => {
      expect(await run("curl -s -H 'X-Agent: it' --data hello -w ' %{http_code}' http://api.example/v1?q=1")).toBe(
        '0 {"body":"hello","agent":"it"} 201',
      );
      expect(await run("curl -s http://files.example/large | wc -c")).toBe("0 3000000");
      expect(await run("curl -s http://files.example/large | head -c 5")).toBe("0 aaaaa");
      expect(await run("curl -s http://files.example/refused")).toBe("0 not allowed");
      expect(asked).toEqual([
        "POST http://api.example/v1?q=1",
        "GET http://files.example/large",
        "GET http://files.example/large",
        "GET http://files.example/refused",
      ]);
      expect(await run("curl -s -m 10 -o /dev/null -w '%{http_connect}' https://api.example/")).toBe("56 403");
      expect(await run(`${status} --noproxy '*' ${outside}`)).toBe("7 000");
      expect(await run(TCP)).toBe("1");
      expect(await run(DNS)).toBe("2");
      expect(asked).toHaveLength(4);
    });
  });

  test("a policy is part of what a computer was started with", async () => {
    const id = "egress-changes";
    const headers = { "Computer-Host-Token": token, "content-type": "application/json" };
    const start = async (spec: object): Promise<unknown> =>
      (await fetch(`${url}/computers/${id}`, { method: "POST", headers, body: JSON.stringify(spec) })).json();
    const gated = { egress: { mode: "http-gateway", revision: "1" } };
    expect(await start(gated)).toMatchObject({ outcome: "launched" });
    expect(await start(gated)).toMatchObject({ outcome: "adopted" });
    expect(await start({ egress: { mode: "http-gateway", revision: "2" } })).toMatchObject({ outcome: "relaunched" });
    expect(await start({ ...gated, enableInternet: true })).toMatchObject({ code: "EINVAL" });
    await fetch(`${url}/computers/${id}`, { method: "DELETE", headers });
  });
});

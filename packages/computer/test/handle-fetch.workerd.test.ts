import { describe, expect, test } from "vitest";
import {
  ContainerBackend,
  type ContainerBackendOptions,
  type ContainerLaunchSpec,
  type IWorkspaceContainerAPI,
  type WorkspaceEgressPolicy,
} from "../src/backends/container/index.ts";

const HEADER = "Computer-Egress-Token";

/** A gateway that tells of what it was asked. */
const gateway: Fetcher = {
  fetch: async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init);
    const { url, method, headers } = request;
    return Response.json({
      url,
      method,
      body: await request.text(),
      token: headers.get(HEADER),
      own: headers.get("X-Own"),
    });
  },
  connect: () => {
    throw new Error("not asked for here");
  },
} as Fetcher;

/** A container whose daemon is healthy and takes no connection: enough to see what the backend asks of its host. */
class Container implements Partial<IWorkspaceContainerAPI> {
  readonly specs: ContainerLaunchSpec[] = [];
  readonly intercepted: { readonly workspace: unknown; readonly token: string }[] = [];

  async start(spec: ContainerLaunchSpec): Promise<{ runtimeId: string; clientSecret: string; outcome: "launched" }> {
    this.specs.push(spec);
    return { runtimeId: crypto.randomUUID(), clientSecret: "secret", outcome: "launched" };
  }

  async interceptAllOutboundHttp(workspace: unknown, token: string): Promise<void> {
    this.intercepted.push({ workspace, token });
  }

  async status(): Promise<{ running: boolean; exit: null }> {
    return { running: true, exit: null };
  }

  async fetchPort(_port: number, input: RequestInfo | URL): Promise<Response> {
    return new URL(String(input)).pathname === "/health" ? new Response("ok") : new Response("full", { status: 503 });
  }
}

function backendOf(container: Container, more: Partial<ContainerBackendOptions>): ContainerBackend {
  return new ContainerBackend({
    container: () => ({ getWorkspaceContainer: () => container as never }),
    workspace: { binding: "AGENT", id: "x" },
    restartAttempts: 0,
    ...more,
  });
}

async function connected(egress: WorkspaceEgressPolicy): Promise<{ backend: ContainerBackend; container: Container }> {
  const container = new Container();
  const backend = backendOf(container, { egress });
  await expect(backend.connect()).rejects.toMatchObject({ code: "EUNREACHABLE" });
  return { backend, container };
}

function request(token?: string): Request {
  const headers = { "X-Own": "kept", ...(token === undefined ? {} : { [HEADER]: token }) };
  return new Request("http://example.test/a?b=c", { method: "POST", body: "body", headers });
}

describe("what a container asks of the network", () => {
  test("goes to the gateway under the policy http-gateway, with the token that its host was given and without it", async () => {
    const { backend, container } = await connected({ mode: "http-gateway", gateway });
    expect(container.specs).toEqual([{ env: {}, enableInternet: false, egress: { mode: "http-gateway" } }]);
    const [{ workspace, token } = { workspace: null, token: "" }] = container.intercepted;
    expect(workspace).toEqual({ binding: "AGENT", id: "x" });
    expect(token.length).toBeGreaterThanOrEqual(32);
    const answer = await backend.handleFetch(request(token));
    expect(await answer.json()).toEqual({
      url: "http://example.test/a?b=c",
      method: "POST",
      body: "body",
      token: null,
      own: "kept",
    });
  });

  test("is refused without the token, and with one of another backend", async () => {
    const { backend } = await connected({ mode: "http-gateway", gateway });
    const other = (await connected({ mode: "http-gateway", gateway })).container.intercepted[0]!.token;
    for (const token of [undefined, "", "guess", other]) {
      const answer = await backend.handleFetch(request(token));
      expect(answer.status).toBe(403);
      expect(await answer.text()).toContain("egress policy");
    }
  });

  test.each([{ mode: "none" }, { mode: "direct" }] as const)(
    "is not intercepted under the policy $mode, and what comes all the same is refused",
    async (egress) => {
      const { backend, container } = await connected(egress);
      expect(container.intercepted).toEqual([]);
      expect(container.specs).toEqual([{ env: {}, enableInternet: egress.mode === "direct" }]);
      expect((await backend.handleFetch(request("guess"))).status).toBe(403);
    },
  );
});

/** What a Durable Object finds as its container, where there is no platform for one: a real daemon, in a process of this machine. */

/** How one is ended by the platform, or ends by itself. */
interface Life {
  readonly process: Promise<{ id: string; port: number }>;
  readonly ended: Promise<void>;
}

export class FakeContainer implements Container {
  running = false;
  images: Record<string, string> = {};
  /** What it was started with, each time. */
  readonly starts: ContainerStartupOptions[] = [];
  /** What is sent elsewhere, in the container that runs. */
  intercepted: string[] = [];
  inactivityMs: number | bigint | undefined;
  readonly #yard: string;
  #life: Life | undefined;

  constructor(yard: string) {
    this.#yard = yard;
  }

  start(options: ContainerStartupOptions = {}): void {
    if (this.running) throw new Error("start() cannot be called on a container that is already running.");
    this.running = true;
    this.starts.push(options);
    const process = this.#ask<{ id: string; port: number }>("POST", "", options);
    const ended = process
      .then(({ id }) => this.#ask<{ code: number | null; signal: string | null }>("GET", id))
      .finally(() => {
        this.running = false;
        this.intercepted = [];
      })
      .then(({ code, signal }) => {
        if (code !== 0) throw new Error(`Container exited with unexpected exit code: ${code ?? signal}`);
      });
    ended.catch(() => {});
    this.#life = { process, ended };
  }

  monitor(): Promise<void> {
    return (
      this.#life?.ended ?? Promise.reject(new Error("monitor() cannot be called on a container that is not running."))
    );
  }

  async destroy(): Promise<void> {
    const life = this.#life;
    if (life === undefined) return;
    await this.#ask("DELETE", (await life.process).id);
    await life.ended.catch(() => {});
  }

  signal(signo: number): void {
    void this.#life?.process.then(({ id }) => this.#ask("DELETE", `${id}?signal=${signo}`));
  }

  getTcpPort(port: number): Fetcher {
    const fetcher = {
      fetch: async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
        if (!this.running || this.#life === undefined) throw new Error("The container is not running.");
        const given = new Request(input, init);
        const url = new URL(given.url);
        if (url.protocol !== "http:") throw new Error("A port of a container speaks HTTP.");
        url.host = `127.0.0.1:${port === 8080 ? (await this.#life.process).port : port}`;
        return fetch(new Request(url, given));
      },
      connect: () => {
        throw new Error("not here");
      },
    };
    return fetcher as Partial<Fetcher> as Fetcher;
  }

  async setInactivityTimeout(durationMs: number | bigint): Promise<void> {
    this.inactivityMs = durationMs;
  }

  async interceptOutboundHttp(addr: string, _binding: Fetcher): Promise<void> {
    this.intercepted.push(`http://${addr}`);
  }

  async interceptAllOutboundHttp(_binding: Fetcher): Promise<void> {
    this.intercepted.push("http://*");
  }

  async interceptOutboundHttps(addr: string, _binding: Fetcher): Promise<void> {
    this.intercepted.push(`https://${addr}`);
  }

  async snapshotContainer(): Promise<ContainerSnapshot> {
    throw new Error("not here");
  }

  async exec(): Promise<ExecProcess> {
    throw new Error("not here");
  }

  async inspect(): Promise<ContainerInfo | null> {
    const { labels = {}, image = "" } = this.starts.at(-1) ?? {};
    return this.running ? { labels, image } : null;
  }

  async #ask<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(`${this.#yard}/${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return (text === "" ? undefined : JSON.parse(text)) as T;
  }
}

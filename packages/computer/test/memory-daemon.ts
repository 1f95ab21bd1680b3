/** A daemon in memory behind a real wire: its own copy of the files, commands that are functions, and faults on demand. */

import { createHash } from "node:crypto";
import {
  ComputerError,
  connectDaemon,
  type DaemonRPC,
  localFacade,
  PROTOCOL_VERSION,
  type ShellRPC,
  SyncServer,
  serveDaemon,
} from "@cloudflare/computer-rpc";
import { FileSystem, MemoryStore } from "@cloudflare/dofs";
import type { BackendHandle, ComputerHost, ComputerSession, WorkspaceBackend } from "../src/index.ts";
import { type MemoryCommand, MemoryComputer } from "../src/testing/index.ts";
import { scriptedCommands } from "../src/testing/suite/scripted-sources.ts";

const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest();

export interface MemoryDaemonOptions {
  readonly commands?: Readonly<Record<string, MemoryCommand>>;
  /** Hides the calls that 0.8.0 did not have. */
  readonly streamsOnly?: boolean;
  readonly answerTimeoutMs?: number;
}

export class MemoryDaemon {
  /** How often each was asked for. */
  readonly count = { dials: 0, execs: 0 };
  /** How many of the next pages fail, by direction. */
  readonly failing = { push: 0, pull: 0 };
  /** Cuts the line after a command has started and before its caller hears of it. */
  cutAfterStart = false;
  /** Leaves calls of `exec` without an answer. */
  mute = false;
  readonly #options: MemoryDaemonOptions;
  readonly #sockets = new Set<WebSocket>();
  #life: Promise<Life>;

  constructor(options: MemoryDaemonOptions = {}) {
    this.#options = options;
    this.#life = this.#begin();
  }

  get files(): Promise<FileSystem> {
    return this.#life.then(({ fs }) => fs);
  }

  get runtimeId(): Promise<string> {
    return this.#life.then(({ runtimeId }) => runtimeId);
  }

  get backend(): WorkspaceBackend {
    return { id: "remote", type: "memory-daemon", connect: () => this.dial() };
  }

  async dial(): Promise<BackendHandle> {
    this.count.dials += 1;
    const life = await this.#life;
    const { 0: near, 1: far } = new WebSocketPair();
    near.accept();
    far.accept();
    this.#sockets.add(far);
    serveDaemon(far, this.#daemon(life));
    const { answerTimeoutMs } = this.#options;
    const session = await connectDaemon(near, answerTimeoutMs === undefined ? {} : { answerTimeoutMs });
    const { sync, shell } = session.rpc;
    const { pullPage: _1, pushPage: _2, getChunks: _3, putChunks: _4, ...streams } = sync;
    return {
      rpc: { sync: this.#options.streamsOnly === true ? streams : sync, shell },
      runtimeId: session.hello.runtimeId,
      mount: session.hello.mount,
      tellsEnd: this.#options.streamsOnly !== true,
      closed: session.closed,
      close: async () => session.close(),
    };
  }

  /** Breaks every line. */
  cut(): void {
    for (const socket of this.#sockets) socket.close(1011, "cut by the test");
    this.#sockets.clear();
  }

  /** Ends the computer, and begins another one with nothing in it. */
  replace(): void {
    this.#life = this.#begin();
    this.cut();
  }

  async #begin(): Promise<Life> {
    const store = new MemoryStore({ sha256 });
    const fs = new FileSystem(store);
    const computer = new MemoryComputer({ commands: { ...scriptedCommands, ...this.#options.commands } });
    const session = await computer.connect({ fs } as ComputerHost);
    await fs.mkdir("/workspace");
    return { runtimeId: crypto.randomUUID(), store, fs, session };
  }

  #daemon({ runtimeId, store, session }: Life): DaemonRPC {
    const fails = (direction: "push" | "pull"): void => this.#fails(direction);
    class FailingSync extends SyncServer {
      override async pushPage(page: Parameters<SyncServer["pushPage"]>[0]): ReturnType<SyncServer["pushPage"]> {
        fails("push");
        return super.pushPage(page);
      }

      override async pullPage(request: Parameters<SyncServer["pullPage"]>[0]): ReturnType<SyncServer["pullPage"]> {
        fails("pull");
        return super.pullPage(request);
      }
    }
    const sync = new FailingSync({ store: localFacade(store) });
    return {
      hello: async () => ({ protocol: PROTOCOL_VERSION, runtimeId, mount: "files" }),
      sync,
      shell: this.#shell(session),
    };
  }

  #shell(session: ComputerSession): ShellRPC {
    return {
      exec: async (input) => {
        this.count.execs += 1;
        if (this.mute) return new Promise(() => {});
        const started = await session.exec(input as Parameters<ComputerSession["exec"]>[0]);
        if (this.cutAfterStart) {
          this.cutAfterStart = false;
          this.cut();
        }
        return started;
      },
      getExec: (input) => session.getExec(input),
      killExec: (input) => session.killExec(input),
      disposeExec: (input) => session.disposeExec(input),
    };
  }

  #fails(direction: "push" | "pull"): void {
    if (this.failing[direction] <= 0) return;
    this.failing[direction] -= 1;
    throw new ComputerError("ESYNC", `a ${direction} that fails by order of the test`);
  }
}

interface Life {
  readonly runtimeId: string;
  readonly store: MemoryStore;
  readonly fs: FileSystem;
  readonly session: ComputerSession;
}

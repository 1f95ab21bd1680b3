import { once } from "node:events";
import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connectDaemon } from "@cloudflare/computer-rpc";
import { afterEach, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { readLaunchSpec } from "../src/host/launch-spec.ts";
import { StateDirectory } from "../src/host/state-directory.ts";
import { Supervisor } from "../src/host/supervisor.ts";
import { newStatePath } from "./host-fixture.ts";

const MINUTE = 60_000;

afterEach(() => void vi.useRealTimers());

test("X-09 a command that is silent for 15 minutes outlives an idle limit of two, which applies once it has ended", async () => {
  // The host's clock and its looks at its computers; commands, sockets and processes are real.
  vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"] });
  const path = newStatePath();
  const state = await StateDirectory.open(path);
  const supervisor = new Supervisor({ state, tools: [], log: () => {} });
  try {
    const { clientSecret } = await supervisor.start("silent", readLaunchSpec(undefined));
    supervisor.setInactivityTimeout("silent", 2 * MINUTE);
    const headers = { authorization: `Bearer ${clientSecret}` };
    const socket = new WebSocket(`ws+unix:${supervisor.get("silent").socket}:/api`, { headers });
    await once(socket, "open");
    using session = await connectDaemon(socket);
    const { shell } = session.rpc;
    const silent = await shell.exec({ source: "while [ ! -e end ]; do sleep 0.05; done; echo done" });

    await vi.advanceTimersByTimeAsync(15 * MINUTE);
    expect(supervisor.status("silent").running).toBe(true);
    await shell.exec({ source: "touch end" });
    const names: string[] = [];
    for await (const { name } of silent.events) names.push(name);
    expect(names).toEqual(["stdout", "exit"]);

    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(supervisor.status("silent").running).toBe(true);
    await vi.advanceTimersByTimeAsync(MINUTE + 2_000);
    while (supervisor.status("silent").exit === null) await sleep(10);
    expect(supervisor.status("silent").exit?.reason).toBe("idle");
  } finally {
    await supervisor.close();
    await state.close();
    rmSync(dirname(path), { recursive: true, force: true });
  }
});

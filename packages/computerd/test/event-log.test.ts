import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ExecEvent } from "@cloudflare/computer-rpc";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { EventLog, type EventLogLimits } from "../src/exec/event-log.ts";
import { ExecService } from "../src/exec/exec-service.ts";
import { PlainLauncher } from "../src/exec/plain-launcher.ts";

/** Small enough that a few hundred bytes fill segments, pass the bound and drop the oldest. */
const TINY: EventLogLimits = { segment: 100, ahead: 400, keep: 1000 };

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "log-test-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

async function rest(reader: { next(): Promise<ExecEvent | undefined> }): Promise<ExecEvent[]> {
  const events: ExecEvent[] = [];
  for (let event = await reader.next(); event !== undefined; event = await reader.next()) events.push(event);
  return events;
}

function until(condition: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => (condition() ? resolve() : void setTimeout(look, 5));
    look();
  });
}

describe("a log", () => {
  test("gives back across segments what was appended, to every reader, from any event", async () => {
    const log = new EventLog("r", join(dir, "log"), { ...TINY, ahead: 1 << 20, keep: 1 << 21 });
    const pieces = Array.from({ length: 60 }, (_, n) => Buffer.alloc(1 + (n % 40), n));
    for (const [n, piece] of pieces.entries()) log.append(n % 3 === 0 ? "stderr" : "stdout", piece);
    const live = rest(log.reader(-1));
    log.end(-7);
    const events = await live;
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 61 }, (_, n) => n));
    expect(events.at(-1)).toEqual({ id: "r", seq: 60, name: "exit", code: -7 });
    for (const [n, piece] of pieces.entries()) {
      expect(events[n]).toEqual({
        id: "r",
        seq: n,
        name: n % 3 === 0 ? "stderr" : "stdout",
        value: new Uint8Array(piece),
      });
    }
    for (const after of [-1, 0, 17, 59, 60, 61]) {
      expect(await rest(log.reader(after))).toEqual(events.slice(after + 1));
    }
  });

  test("cuts what is larger than a segment", async () => {
    const log = new EventLog("r", join(dir, "log"), TINY);
    log.append("stdout", Buffer.alloc(200, 1));
    log.end(0);
    const lengths = (await rest(log.reader(-1))).map((event) => (event.name === "exit" ? 0 : event.value.length));
    expect(lengths).toEqual([95, 95, 10, 0]);
  });

  test("asks the writer to wait when it is ahead of every listener, and calls when one has caught up", async () => {
    const log = new EventLog("r", join(dir, "log"), TINY);
    let calls = 0;
    log.onRoom = () => {
      calls += 1;
    };
    for (let n = 0; n < 4; n++) log.append("stdout", Buffer.alloc(95));
    await until(() => !log.full);
    log.append("stdout", Buffer.alloc(95));
    expect(log.full).toBe(true);
    calls = 0;
    const reader = log.reader(-1);
    await reader.next();
    await until(() => !log.full);
    expect(calls).toBe(1);
    log.end(0);
    expect(await rest(reader)).toHaveLength(5);
  });

  test("drops only what was listened to; a replay then starts with the oldest event there is", async () => {
    const log = new EventLog("r", join(dir, "log"), TINY);
    const reader = log.reader(-1);
    for (let n = 0; n < 30; n++) {
      log.append("stdout", Buffer.alloc(95, n));
      await reader.next();
      await until(() => !log.full);
    }
    await until(() => readdirSync(join(dir, "log")).length <= 10);
    log.end(0);
    const kept = await rest(log.reader(-1));
    const oldest = kept[0]?.seq ?? 0;
    expect(oldest).toBeGreaterThan(15);
    expect(kept.map(({ seq }) => seq)).toEqual(Array.from({ length: 31 - oldest }, (_, n) => n + oldest));
  });

  test("a reader that is overtaken goes on with the oldest event there is", async () => {
    const log = new EventLog("r", join(dir, "log"), TINY);
    const slow = log.reader(-1);
    const fast = log.reader(-1);
    for (let n = 0; n < 30; n++) {
      log.append("stdout", Buffer.alloc(95, n));
      await fast.next();
      if (n === 0) await slow.next();
      await until(() => !log.full);
    }
    log.end(0);
    const seqs = (await rest(slow)).map(({ seq }) => seq);
    expect(seqs.at(-1)).toBe(30);
    expect(seqs[0]).toBeGreaterThan(15);
  });

  test("a disk that takes nothing costs the replay, not the listener", async () => {
    writeFileSync(join(dir, "file"), "");
    const log = new EventLog("r", join(dir, "file", "log"), TINY);
    const reader = log.reader(-1);
    const seen: number[] = [];
    for (let n = 0; n < 20; n++) {
      while (log.full) {
        if (seen.length < n) seen.push((await reader.next())?.seq ?? -1);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      log.append("stdout", Buffer.alloc(95, n));
    }
    log.end(0);
    seen.push(...(await rest(reader)).map(({ seq }) => seq));
    expect(seen).toEqual(Array.from({ length: 21 }, (_, n) => n));
    expect(log.memory).toBeLessThan(600);
  });

  test("leaves nothing on disk once it is disposed, and ends its readers", async () => {
    const log = new EventLog("r", join(dir, "log"), TINY);
    for (let n = 0; n < 3; n++) log.append("stdout", Buffer.alloc(95));
    const reader = log.reader(2);
    const waiting = reader.next();
    await until(() => existsSync(join(dir, "log")));
    await log.dispose();
    expect(await waiting).toBeUndefined();
    await until(() => !existsSync(join(dir, "log")));
  });
});

describe("output of 500 MB", () => {
  const size = 500 * 1024 * 1024;
  test.each([
    ["stdout", "yes | head -c 500M"],
    ["stderr", "yes | head -c 500M >&2"],
  ] as const)(
    "X-04 on %s costs no memory",
    async (name, source) => {
      const runs = new ExecService({
        launcher: new PlainLauncher(),
        workspaceRoot: dir,
        env: { PATH: process.env.PATH ?? "" },
        runtimeId: "r",
      });
      const { id, events } = await runs.exec({ source });
      let bytes = 0;
      let most = 0;
      for await (const event of events) {
        if (event.name === name) bytes += event.value.length;
        else expect(event).toMatchObject({ name: "exit", code: 0 });
        most = Math.max(most, runs.memory(id));
      }
      expect(bytes).toBe(size);
      expect(most).toBeLessThanOrEqual(5 << 20);
      await runs.close();
    },
    60_000,
  );

  test("X-04 waits for a listener that does not read, and loses nothing", async () => {
    const limits = { segment: 1 << 20, ahead: 8 << 20, keep: 16 << 20 };
    const runs = new ExecService({
      launcher: new PlainLauncher(),
      workspaceRoot: dir,
      env: { PATH: process.env.PATH ?? "" },
      runtimeId: "r",
      log: limits,
    });
    const source = `head -c 40M /dev/zero; echo > ${dir}/written; yes | head -c 1M >&2`;
    const { id, events } = await runs.exec({ source });
    await until(() => runs.behind(id));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(existsSync(join(dir, "written"))).toBe(false);
    let bytes = 0;
    for await (const event of events) if (event.name !== "exit") bytes += event.value.length;
    expect(bytes).toBe(41 << 20);
    await runs.close();
  });
});

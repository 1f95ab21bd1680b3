import { expect, test } from "vitest";
import { createCloudflareObserver } from "../src/observe/cloudflare.ts";
import { noopObserver } from "../src/observe/observer.ts";
import { createSyncLogger, syncBlockLog, syncOperationLog } from "../src/sync/sync-logger.ts";

const common = { backend: "c", direction: "push", mode: "entries", operationId: "o", generation: "g" } as const;
const block = {
  ...common,
  entries: 3,
  bytes: 10,
  skipped: 0,
  complete: true,
  blockMs: 300,
  cursorRev: 1,
  targetRev: 2,
};
const operation = {
  ...common,
  blocks: 1,
  entries: 3,
  bytes: 1000,
  skipped: 0,
  totalMs: 500,
  worstBlockMs: 300,
  restarts: 0,
};

test("a sync is logged as one JSON line a block and one for the whole", () => {
  const lines: string[] = [];
  const logger = createSyncLogger({ log: (line) => lines.push(line) });
  logger.block(block);
  logger.operation(operation);
  expect(lines.map((line) => JSON.parse(line))).toEqual([syncBlockLog(block), syncOperationLog(operation)]);
  expect(syncBlockLog(block)).toMatchObject({ event: "sync.block", cpuLimitMs: 30_000, cpuLimitShare: 0.01 });
  expect(syncOperationLog(operation)).toMatchObject({ event: "sync.operation", bytesPerSecond: 2000 });
});

test("a logger that is turned off says nothing", () => {
  const logger = createSyncLogger({ enabled: false, log: () => expect.unreachable() });
  logger.block(block);
  logger.operation(operation);
});

test("the Cloudflare observer opens a span, sets its attributes and marks a failure with its code", async () => {
  const spans: { name: string; attributes: Record<string, unknown> }[] = [];
  const observer = createCloudflareObserver({
    tracing: {
      enterSpan(name, callback) {
        const attributes: Record<string, unknown> = {};
        spans.push({ name, attributes });
        return callback({
          setAttribute(key, value) {
            attributes[key] = value;
          },
        });
      },
    },
  });
  const value = await observer.span("a", { x: 1, left: undefined }, async (span) => {
    span.setAttribute("y", true);
    span.setAttribute("z", undefined);
    return 42;
  });
  expect(value).toBe(42);
  const failing = observer.span("b", {}, () => Promise.reject(Object.assign(new Error("no"), { code: "ENO" })));
  await expect(failing).rejects.toThrow("no");
  expect(spans).toEqual([
    { name: "a", attributes: { x: 1, y: true } },
    { name: "b", attributes: { error: true, "error.code": "ENO" } },
  ]);
});

test("the observer that observes nothing gives what was run", async () => {
  expect(await noopObserver.span("a", {}, async () => 7)).toBe(7);
});

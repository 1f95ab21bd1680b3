/** What each carrier costs, counted on the socket. */

import { describe, expect, test } from "vitest";
import { type Carrier, connectDaemon, SyncDriver, serveDaemon, socketTransport } from "../src/index.ts";
import { clock, daemonOf, memoryStore } from "./link.ts";
import { random } from "./random.ts";
import { socketPair } from "./socket-pair.ts";
import { mkdir, tree, write } from "./tree.ts";

const KIB = 1024;

describe.each<[Carrier, number]>([
  ["text", 1.4],
  ["cbor", 1.05],
])("the %s carrier", (carrier, most) => {
  test.each([
    ["16 MiB in chunks", 16, 1_024 * KIB],
    ["200 small files", 200, 20 * KIB],
  ])(`takes at most ${most} bytes for a byte of content: %s`, { timeout: 60_000 }, async (_, files, bytes) => {
    const workspace = memoryStore();
    const computer = memoryStore(clock(1_600_000_000_000));
    const pair = socketPair();
    serveDaemon(socketTransport(pair.server, carrier), daemonOf(computer));
    const transport = socketTransport(pair.client, carrier);
    using session = await connectDaemon(transport);
    const driver = new SyncDriver({ store: workspace, rpc: session.rpc.sync, runtimeId: "runtime-1" });
    await driver.pushAll();
    const content = files * bytes;

    for (let i = 0; i < files; i++) write(workspace, `/workspace/out${i}`, random(bytes, i + 1));
    const { bytesSent } = transport.count;
    expect(await driver.pushAll()).toMatchObject({ bytes: content });
    expect((transport.count.bytesSent - bytesSent) / content).toBeLessThan(most);

    mkdir(computer, "/workspace/in");
    for (let i = 0; i < files; i++) write(computer, `/workspace/in/${i}`, random(bytes, i + 1_001));
    const { bytesReceived } = transport.count;
    expect(await driver.pullAll()).toMatchObject({ bytes: content });
    expect((transport.count.bytesReceived - bytesReceived) / content).toBeLessThan(most);
    expect(tree(workspace)).toEqual(tree(computer));
  });

  test("carries bytes of every kind as plain Uint8Arrays", async () => {
    const pair = socketPair();
    const bytes = Uint8Array.from({ length: 70_000 }, (_, i) => i % 256);
    const daemon = daemonOf(memoryStore());
    const echoed: Uint8Array[] = [];
    serveDaemon(socketTransport(pair.server, carrier), {
      ...daemon,
      shell: {
        ...daemon.shell,
        exec: async ({ stdin }) => {
          echoed.push(stdin!);
          return {
            id: "run",
            events: new ReadableStream({
              start(controller) {
                controller.enqueue({ id: "run", seq: 0, name: "stdout", value: stdin! });
                controller.close();
              },
            }),
          };
        },
      },
    });
    using session = await connectDaemon(socketTransport(pair.client, carrier));
    for (const stdin of [bytes, bytes.subarray(3, 1_000), new Uint8Array(0)]) {
      const { events } = await session.rpc.shell.exec({ source: "cat", stdin });
      for await (const event of events) {
        if (event.name !== "exit") expect(Buffer.compare(event.value, stdin)).toBe(0);
      }
      expect(Buffer.compare(echoed.at(-1)!, stdin)).toBe(0);
    }
  });
});

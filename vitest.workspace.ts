/** The list of test projects; `vitest.config.ts` hands it to vitest. */

import { cloudflareTest } from "@cloudflare/vitest-pool-workers";
import type { TestProjectConfiguration } from "vitest/config";

/** What waits for something else may wait long on a busy machine. */
const PATIENCE = { testTimeout: 60_000, hookTimeout: 60_000 };

/** Tests that share the machine with real mounts, sandboxes and servers are tried once more: a lost race of theirs is not a fault of ours. */
const SECOND_TRY = { retry: 1 };

/** Tests of several minutes run alone: `LONG=1 npx vitest run --project workerd test/long`. */
const long = process.env.LONG === undefined ? ["**/test/long/**"] : [];

/** Tests of containers run with Docker: `npm run test:docker`. */
const docker = process.env.DOCKER === undefined ? ["**/test/docker/**"] : [];

/** One isolate for all files: starting one for each takes longer than its tests. Objects have fresh names in each test anyhow. */
const ONE_ISOLATE = { isolate: false };

const skip = ["**/node_modules/**", "**/dist/**", ...long, ...docker];

const projects: TestProjectConfiguration[] = [
  {
    test: {
      name: "node",
      include: ["{packages,examples}/*/test/**/*.test.ts", "test/**/*.test.ts"],
      exclude: [...skip, "**/*.{workerd,fuse,stack,host}.test.ts"],
      ...PATIENCE,
    },
  },
  {
    plugins: [cloudflareTest({ wrangler: { configPath: "./test/workerd/wrangler.jsonc" } })],
    test: {
      name: "workerd",
      include: ["packages/*/test/**/*.workerd.test.ts"],
      exclude: skip,
      ...PATIENCE,
      ...ONE_ISOLATE,
    },
  },
  {
    // Real mounts and sandboxes of this machine, one file at a time.
    test: {
      name: "fuse",
      include: ["packages/*/test/**/*.fuse.test.ts"],
      exclude: skip,
      fileParallelism: false,
      sequence: { groupOrder: 1 },
      ...PATIENCE,
      ...SECOND_TRY,
    },
  },
  {
    // Whole stacks as a user runs them: a dev server, a host, a browser.
    test: {
      name: "stack",
      include: ["examples/*/test/**/*.stack.test.ts", "packages/*/test/**/*.stack.test.ts"],
      exclude: skip,
      fileParallelism: false,
      sequence: { groupOrder: 2 },
      ...SECOND_TRY,
      testTimeout: 180_000,
      hookTimeout: 180_000,
    },
  },
  {
    // Workers beside a real computer host of this machine.
    plugins: [
      cloudflareTest(({ inject }) => ({
        wrangler: { configPath: "./test/workerd/wrangler.jsonc" },
        miniflare: {
          bindings: {
            COMPUTER_HOST: inject("computerHost"),
            CONTAINER_YARD: inject("containerYard"),
            CONTAINERS_ARE_REAL: inject("containersAreReal"),
            LONE_DAEMON: inject("loneDaemon"),
          },
        },
      })),
    ],
    test: {
      name: "host",
      include: ["packages/*/test/**/*.host.test.ts"],
      exclude: skip,
      globalSetup: [
        "./test/workerd/computer-host.ts",
        "./test/workerd/container-yard.ts",
        "./test/workerd/lone-daemon.ts",
      ],
      fileParallelism: false,
      sequence: { groupOrder: 3 },
      ...PATIENCE,
      ...ONE_ISOLATE,
      ...SECOND_TRY,
    },
  },
];

export default projects;

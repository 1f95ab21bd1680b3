import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readHostOptions } from "../src/host/host-options.ts";

const scratch = mkdtempSync(join(tmpdir(), "host-options-"));
const TOKEN = "0123456789abcdef";
afterAll(() => rmSync(scratch, { recursive: true }));

const read = (...args: string[]) => readHostOptions(args, { COMPUTERD_HOST_TOKEN: TOKEN });

test.each([
  ["127.0.0.1:8790", "127.0.0.1", 8790],
  ["localhost:0", "localhost", 0],
  ["[::1]:8790", "::1", 8790],
])("listens on %s", (listen, address, port) => {
  expect(read("--listen", listen)).toMatchObject({ address, port, token: TOKEN, tools: [], state: undefined });
});

test("the token comes from a file as well, which goes first", () => {
  const file = join(scratch, "token");
  writeFileSync(file, "from-a-file-0123456789\n", { mode: 0o600 });
  expect(read("--listen", "localhost:0", "--token-file", file).token).toBe("from-a-file-0123456789");
});

test.each([0o640, 0o604, 0o620])("a token file with mode %o is refused", (mode) => {
  const file = join(scratch, "open");
  writeFileSync(file, "from-a-file-0123456789\n");
  chmodSync(file, mode);
  expect(() => read("--listen", "localhost:0", "--token-file", file)).toThrow(/chmod 600 .*open/);
});

test("tools may be several", () => {
  expect(read("--listen", "localhost:0", "--tools", scratch, "--tools", "/usr/bin").tools).toEqual([
    scratch,
    "/usr/bin",
  ]);
});

describe("what is wrong is named", () => {
  test.each([
    [[], "--listen wants ADDRESS:PORT"],
    [["--listen", "8790"], "--listen wants ADDRESS:PORT"],
    [["--listen", "localhost:65536"], "--listen wants ADDRESS:PORT"],
    [["--listen", "::1:8790"], "--listen wants ADDRESS:PORT"],
    [["--listen", "localhost:0", "--token", TOKEN], "Unknown option '--token'"],
    [["--listen", "localhost:0", "--tools", "/nowhere"], "--tools /nowhere is not a directory"],
    [["--listen", "localhost:0", "--tools", "/"], "--tools / is not a directory of its own"],
    [["--listen", "localhost:0", "--token-file", "/nowhere"], "--token-file /nowhere cannot be read"],
    [["--listen", "localhost:0", "--state", `/${"x".repeat(80)}`], "is too long"],
  ])("%j", (args, message) => {
    expect(() => read(...args)).toThrow(
      expect.objectContaining({ code: "EOPTION", message: expect.stringContaining(message) }),
    );
  });

  test.each([
    [{}, "there is no token: set COMPUTERD_HOST_TOKEN"],
    [{ COMPUTERD_HOST_TOKEN: "" }, "there is no token"],
    [{ COMPUTERD_HOST_TOKEN: "short" }, "at least 16"],
    [{ COMPUTERD_HOST_TOKEN: "with a blank in the midst" }, "no blanks"],
  ])("the token in %j", (env, message) => {
    expect(() => readHostOptions(["--listen", "localhost:0"], env)).toThrow(message);
  });
});

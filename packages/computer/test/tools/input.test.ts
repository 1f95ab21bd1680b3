import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  type AnyToolDefinition,
  defineDelete,
  defineEdit,
  defineExec,
  defineFind,
  defineGrep,
  defineList,
  definePublish,
  defineRead,
  defineWrite,
} from "../../src/tools/core/index.ts";
import { files } from "./files.ts";

const { workspace, store } = await files();
const runtime = { exec: async () => ({ result: async () => ({ exitCode: 0, stdout: "", stderr: "" }) }) };
const all: AnyToolDefinition[] = [
  defineRead({ store }),
  defineList({ workspace }),
  defineFind({ workspace }),
  defineGrep({ workspace }),
  defineWrite({ store }),
  defineEdit({ store }),
  defineDelete({ store }),
  defineExec({ workspace: { runtime } }),
  definePublish({ workspace: { sessionId: "s" } }),
];

function tool(name: string): AnyToolDefinition {
  const found = all.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no tool ${name}`);
  return found;
}

describe("near misses", () => {
  test.each([
    ["exec", "ls", { command: "ls" }],
    ["exec", '{"command":"ls","cwd":"/tmp"}', { command: "ls", cwd: "/tmp" }],
    ["exec", '"{\\"command\\":\\"ls\\"}"', { command: "ls" }],
    ["exec", '"ls -l"', { command: "ls -l" }],
    ["exec", "true", { command: "true" }],
    ["exec", "{ ls; pwd; }", { command: "{ ls; pwd; }" }],
    ["exec", { command: ["grep", "a b", "c"] }, { command: "grep 'a b' c" }],
    ["exec", { cmd: "ls", timeout: "5", cwd: null, env: '{"A":"1"}' }, { command: "ls", timeout: 5, env: { A: "1" } }],
    ["read", "/workspace/a", { path: "/workspace/a" }],
    ["read", { file_path: "/a", offset: "3", limit: null }, { path: "/a", offset: 3 }],
    ["ls", {}, { path: "/workspace" }],
    ["ls", { path: "/w", limit: 5_000 }, { path: "/w", limit: 1_000 }],
    ["find", "**/*.ts", { pattern: "**/*.ts" }],
    ["grep", { pattern: "x", regex: "true", context: 99 }, { query: "x", regex: true, context: 10 }],
    ["write", { path: "a.json", content: { a: 1 } }, { path: "a.json", content: '{\n  "a": 1\n}' }],
    ["write", { path: "a", text: 5 }, { path: "a", content: "5" }],
    ["edit", { path: "a", old_string: "x", new_string: "y" }, { path: "a", edits: [{ oldText: "x", newText: "y" }] }],
    [
      "edit",
      { path: "a", edits: { oldText: "x", newText: "y" } },
      { path: "a", edits: [{ oldText: "x", newText: "y" }] },
    ],
    [
      "edit",
      { path: "a", edits: '[{"oldText":"x","newText":"y"}]' },
      { path: "a", edits: [{ oldText: "x", newText: "y" }] },
    ],
    ["delete", { path: "a", recursive: "true" }, { path: "a", recursive: true }],
    ["publish", "/workspace/a.pdf", { path: "/workspace/a.pdf" }],
  ])("T-08 %s takes %j", (name, sent, meant) => {
    expect(tool(name).inputSchema.parse(sent)).toEqual(meant);
    expect(tool(name).inputSchema.parse(tool(name).prepareArguments(sent))).toEqual(meant);
  });

  test.each([
    ["exec", '{"command": "ls'],
    ["exec", "[1, 2]"],
    ["exec", 5],
    ["write", "just text"],
    ["edit", '[{"oldText": "x"'],
    ["read", "   "],
  ])("T-08 %s makes an object of %j, and answers with what to send", async (name, sent) => {
    const { inputSchema, execute, describe: tell } = tool(name);
    const input = inputSchema.parse(sent);
    expect(input).toBeTypeOf("object");
    let last: object | undefined;
    const outputs = execute(input);
    if (outputs instanceof Promise) last = await outputs;
    else for await (const output of outputs) last = output;
    expect(last).toMatchObject({
      error: expect.stringMatching(new RegExp(`^${name} takes a JSON object such as \\{`)),
    });
    expect(tell(last ?? {})).toEqual([{ type: "text", text: expect.stringContaining("What came is no JSON object") }]);
  });

  test.each([
    ["read", {}, "read takes path, offset, byteOffset, limit. Wrong here: path: "],
    ["write", { path: "a" }, "content: "],
    ["edit", { path: "a", edits: [] }, "edits: "],
    ["edit", { path: "a", edits: [{ oldText: "x" }] }, "edits.0.newText: "],
    ["grep", { query: "x", limit: 0 }, "limit: "],
  ])("%s says of %j what is wrong, and what to send", (name, sent, words) => {
    const { error } = tool(name).inputSchema.safeParse(sent);
    expect(error?.issues).toHaveLength(1);
    expect(error?.issues[0]?.message).toContain(words);
    expect(error?.issues[0]?.message).toContain('Send for example {"');
  });

  test("what is right is handed on as it came", () => {
    const sent = { path: "a", content: "x".repeat(100_000) };
    expect(tool("write").prepareArguments(sent)).toEqual(sent);
  });
});

test("models are told the fields of every tool, as an object", () => {
  const schemas = all.map(({ name, inputSchema }) => {
    const { type, properties, required } = z.toJSONSchema(inputSchema, { io: "input" });
    return [name, type, Object.keys(properties ?? {}).join(" "), required?.join(" ")];
  });
  expect(schemas).toEqual([
    ["read", "object", "path offset byteOffset limit", "path"],
    ["ls", "object", "path limit offset", "path"],
    ["find", "object", "pattern path limit offset", "pattern"],
    ["grep", "object", "query path include regex ignoreCase context limit offset", "query"],
    ["write", "object", "path content", "path content"],
    ["edit", "object", "path edits", "path edits"],
    ["delete", "object", "path recursive", "path"],
    ["exec", "object", "command cwd backend env input timeout", "command"],
    ["publish", "object", "path expiresInSeconds", "path"],
  ]);
});

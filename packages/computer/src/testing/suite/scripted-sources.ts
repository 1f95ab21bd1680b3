/** The suite's sources for a computer in memory, and the commands that they call. */

import { shellQuote as quote } from "../../runtime/shell-quote.ts";
import type { MemoryCommand } from "../memory-computer.ts";
import type { ScriptSources } from "./under-test.ts";

export const scriptedSources: ScriptSources = {
  say: (text) => `say ${quote(text)}`,
  fail: (text, code) => `fail ${quote(text)} ${code}`,
  copy: (from, to) => `copy ${quote(from)} ${quote(to)}`,
  variable: (name) => `variable ${name}`,
  where: () => "where",
  echo: () => "echo-stdin",
  hang: () => "hang",
  lines: (count) => `lines ${count}`,
  halves: () => "halves",
};

export const scriptedCommands: Readonly<Record<string, MemoryCommand>> = {
  say: ({ args, stdout }) => stdout(args[0] ?? ""),
  fail({ args: [text = "", code], stderr }) {
    stderr(text);
    return Number(code);
  },
  async copy({ args: [from = "", to = ""], cwd, fs }) {
    await fs.writeFile(within(cwd, to), await fs.readFile(within(cwd, from)));
  },
  variable: ({ args: [name = ""], env, stdout }) => stdout(env[name] ?? ""),
  where: ({ cwd, stdout }) => stdout(`${cwd}\n`),
  "echo-stdin": ({ stdin, stdout }) => stdout(stdin),
  async hang({ signal, stdout }) {
    stdout("ready\n");
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
  },
  lines({ args: [count], stdout }) {
    for (let line = 1; line <= Number(count); line++) stdout(`${line}\n`);
  },
  halves({ stdout }) {
    stdout(Uint8Array.of(0xc3));
    stdout(Uint8Array.of(0xa9));
  },
};

function within(cwd: string, path: string): string {
  return path.startsWith("/") ? path : `${cwd}/${path}`;
}

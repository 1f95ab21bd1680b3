/** The suite's sources for a POSIX shell. */

import { shellQuote as quote } from "../../runtime/shell-quote.ts";
import type { ScriptSources } from "./under-test.ts";

export const shellSources: ScriptSources = {
  say: (text) => `printf %s ${quote(text)}`,
  fail: (text, code) => `printf %s ${quote(text)} >&2; exit ${code}`,
  copy: (from, to) => `cat ${quote(from)} > ${quote(to)}`,
  variable: (name) => `printf %s "$${name}"`,
  where: () => "pwd",
  echo: () => "cat",
  hang: () => "echo ready; sleep 60",
  lines: (count) => `i=1; while [ $i -le ${count} ]; do echo $i; i=$((i + 1)); done`,
  halves: () => "printf '\\303'; sleep 0.2; printf '\\251'",
};

/** The table of `docs/worker-shell.md`, made of the suite: `node packages/computer/test/shell-differential/support-table.ts` writes it there. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { differences } from "./differences.ts";
import type { Recording } from "./scripts.ts";

const DOCUMENT = join(import.meta.dirname, "../../../../docs/worker-shell.md");
const BEGIN = "<!-- table: begin -->\n";
const END = "<!-- table: end -->\n";

const COMMANDS =
  "awk base64 basename cat chmod cmp column comm cp cut date diff dirname du echo env expand expr file find fold grep gzip head jq join ln ls md5sum mkdir mktemp mv nl od paste printenv printf readlink realpath rev rm rmdir sed seq sha1sum sha256sum sleep sort split stat strings tac tail tar tee test timeout touch tr true truncate unexpand uniq wc which xargs yes".split(
    " ",
  );

/** One row a command: in how many scripts it stands, and what it refuses or has otherwise. */
export function supportTable(): string {
  const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, "recorded.json"), "utf8")) as Recording;
  const rows = COMMANDS.map((command): [string, string, string] => {
    const used = scripts.filter(({ script }) => stands(command, script));
    const notes = Object.entries(differences)
      .filter(([script, [, why]]) => stands(command, script) && why.includes(`\`${command}`))
      .map(([, [kind, why]]) => `${kind}: ${why}`);
    return [`\`${command}\``, String(used.length), [...new Set(notes)].join("; ")];
  });
  const missing = Object.values(differences).flatMap(([, why]) => (/^`\w+`$/.test(why) ? [why] : []));
  const language = Object.values(differences).flatMap(([kind, why]) => (why.includes("`") ? [] : [`${kind}: ${why}`]));
  const lines = [
    "| command | scripts | what it refuses or has otherwise |",
    "| --- | --- | --- |",
    ...rows.map((row) => `| ${row.join(" | ")} |`),
  ];
  const others = `Not there, and refused by name (exit code 127, or 2): ${[...new Set(missing)].join(", ")}. In the language itself — ${language.join("; ")}.`;
  return `${lines.join("\n")}\n\n${others}\n`;
}

function stands(command: string, script: string): boolean {
  return new RegExp(`(?:^|[|;&({\`]|\\bdo|\\bthen|\\$\\(|xargs(?: -\\S+)*)\\s*${command}\\b`, "m").test(script);
}

/** The document with a table in its place. */
export function withTable(document: string): string {
  const [before, rest = ""] = document.split(BEGIN);
  return `${before}${BEGIN}${supportTable()}${END}${rest.split(END)[1]}`;
}

export function readDocument(): string {
  return readFileSync(DOCUMENT, "utf8");
}

if (import.meta.main) writeFileSync(DOCUMENT, withTable(readDocument()));

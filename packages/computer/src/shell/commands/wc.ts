/** `wc` as GNU has it. */

import type { CustomCommand } from "just-bash";
import { textOf } from "../engine/byte-string.ts";
import type { RemoteFiles } from "../files/remote-files.ts";
import { command, Failure, linesOf, type Outcome, type Shell } from "./command.ts";
import { parseOptions } from "./options.ts";

export function wc(files: RemoteFiles | undefined): CustomCommand {
  return command("wc", (shell) => run(shell, files));
}

const WC_OPTIONS = ["l,lines", "w,words", "c,bytes", "m,chars", "L,max-line-length", "files0-from="] as const;

async function run(shell: Shell, files: RemoteFiles | undefined): Promise<Outcome> {
  const options = parseOptions(shell.args, WC_OPTIONS);
  if (options.has("files0-from")) throw new Failure("--files0-from is not supported in this shell");
  const paths = options.operands.length > 0 ? options.operands : ["-"];
  await files?.prefetchFiles(paths.filter((path) => path !== "-").map((path) => shell.path(path)));
  const kinds = (["l", "w", "m", "c", "L"] as const).filter((kind) => options.has(kind));
  const columns = kinds.length > 0 ? kinds : (["l", "w", "c"] as const);
  const rows: { name: string; counts: Readonly<Record<string, number>> }[] = [];
  let stderr = "";
  let regular = 0;
  let total = 0;
  for (const path of paths) {
    try {
      const bytes = await shell.read(path);
      rows.push({ name: path, counts: countsOf(bytes, columns) });
      if (path !== "-") {
        regular++;
        total += bytes.length;
      }
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      stderr += `wc: ${error.message}\n`;
      if (error.message.endsWith("Is a directory")) rows.push({ name: path, counts: { l: 0, w: 0, m: 0, c: 0, L: 0 } });
    }
  }
  if (paths.length > 1) {
    const sums = Object.fromEntries(
      columns.map((kind) => [
        kind,
        rows.reduce(
          (sum, { counts }) => (kind === "L" ? Math.max(sum, counts[kind] ?? 0) : sum + (counts[kind] ?? 0)),
          0,
        ),
      ]),
    );
    rows.push({ name: "total", counts: sums });
  }
  const width = widthOf({ paths, columns: columns.length, regular, total });
  const output = rows.map(({ name, counts }) => {
    const numbers = columns.map((kind) => String(counts[kind] ?? 0).padStart(width)).join(" ");
    return options.operands.length === 0 ? `${numbers}\n` : `${numbers} ${name}\n`;
  });
  return { stdout: output.join(""), stderr, code: stderr === "" ? 0 : 1 };
}

/** How wide GNU makes a column: as the sum of all sizes needs, and 7 where a size cannot be known before. */
function widthOf({
  paths,
  columns,
  regular,
  total,
}: {
  paths: readonly string[];
  columns: number;
  regular: number;
  total: number;
}): number {
  if (paths.length === 1 && columns === 1) return 1;
  const least = paths.includes("-") ? 7 : 1;
  return Math.max(least, regular > 0 ? String(total).length : 1);
}

function countsOf(bytes: Uint8Array, kinds: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = { c: bytes.length };
  if (kinds.includes("l")) {
    let lines = 0;
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines++;
    counts.l = lines;
  }
  if (kinds.includes("w") || kinds.includes("m") || kinds.includes("L")) {
    const text = textOf(bytes);
    counts.w = text.match(/[^\s]+/g)?.length ?? 0;
    counts.m = [...text.replace(/[\uDC80-\uDCFF](?<![\uD800-\uDBFF].)/g, "")].length;
    counts.L = linesOf(text).reduce((longest, line) => Math.max(longest, [...line].length), 0);
  }
  return counts;
}

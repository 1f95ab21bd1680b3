/** Runs the real pandoc program, built for WASI, over this process's files, environment and standard streams. */

import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { WASI } from "node:wasi";

let compiled: Promise<WebAssembly.Module> | undefined;

/** Starts compiling pandoc, or returns the compilation under way. */
export function compilePandoc(): Promise<WebAssembly.Module> {
  compiled ??= WebAssembly.compile(readFileSync(fileURLToPath(new URL("./pandoc.wasm", import.meta.url))));
  return compiled;
}

/**
 * Runs `pandoc` with `argv` in the current directory and resolves to its exit code.
 * It reads this process's standard input and writes to its standard streams.
 */
export async function runPandoc(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<number> {
  // A terminal shows both streams alike, and pandoc must see that it is one.
  if (process.stdout.isTTY) return start(argv, env, 1);
  const folder = mkdtempSync(join(tmpdir(), "pandoc-"));
  const stdout = openSync(join(folder, "stdout"), "wx");
  try {
    const code = await start(argv, env, stdout);
    const written = readFileSync(join(folder, "stdout"));
    // This build says on standard output that it could not read a file; a run that fails has no other output.
    if (code !== 0 && written.length > 0) process.stderr.write(`pandoc: ${written}`);
    else if (written.length > 0) await new Promise((done) => process.stdout.write(written, done));
    return code;
  } finally {
    closeSync(stdout);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function start(argv: readonly string[], env: Readonly<Record<string, string>>, stdout: number): Promise<number> {
  const wasi = new WASI({
    version: "preview1",
    args: ["pandoc", ...argv],
    // pandoc's runtime takes its working directory from PWD, which a parent may have left stale.
    env: { ...process.env, ...env, PWD: process.cwd() },
    preopens: { "/": "/" },
    stdout,
    returnOnExit: true,
  });
  const instance = await WebAssembly.instantiate(await compilePandoc(), wasi.getImportObject());
  return wasi.start(instance);
}

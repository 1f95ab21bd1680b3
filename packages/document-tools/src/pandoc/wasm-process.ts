/** Runs the real pandoc program, built for WASI, over this process's files, environment and standard streams. */

import { readFileSync } from "node:fs";
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
 * What it reads and writes on its standard streams goes straight to this process's own.
 */
export async function runPandoc(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<number> {
  const wasi = new WASI({
    version: "preview1",
    args: ["pandoc", ...argv],
    // pandoc's runtime takes its working directory from PWD, which a parent may have left stale.
    env: { ...process.env, ...env, PWD: process.cwd() },
    preopens: { "/": "/" },
    returnOnExit: true,
  });
  const instance = await WebAssembly.instantiate(await compilePandoc(), wasi.getImportObject());
  return wasi.start(instance);
}

/** Keeps the daemon's secret out of its own `/proc/PID/environ`, where every command of the same user could read it. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { isSea } from "node:sea";

const SECRET = "RPC_CLIENT_SECRET";
const PASSED = "RPC_CLIENT_SECRET_FILE";
const FOLDER = "computerd-secret-";

/**
 * The environment with the secret in it and this process's own without.
 *
 * What a process was started with stays readable whatever it deletes later. So where the secret is in there, the process replaces
 * itself by one that was not given it, and that finds it in a file which it removes at once.
 */
export function withHiddenSecret(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { [SECRET]: secret, [PASSED]: file, ...rest } = env;
  if (secret !== undefined && process.execve !== undefined) {
    const made = join(mkdtempSync(join(tmpdir(), FOLDER)), "secret");
    writeFileSync(made, secret, { mode: 0o600 });
    // One executable is its own program, and is told none.
    const args = isSea() ? process.argv.slice(2) : [...process.execArgv, ...process.argv.slice(1)];
    process.execve(process.execPath, [process.execPath, ...args], {
      ...definedOnly(rest),
      [PASSED]: made,
    });
  }
  if (file === undefined) return env;
  const read = readFileSync(file, "utf8").trim();
  if (basename(dirname(file)).startsWith(FOLDER)) rmSync(dirname(file), { recursive: true });
  delete process.env[PASSED];
  return { ...rest, [SECRET]: read };
}

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

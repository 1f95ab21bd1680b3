/** In the isolate: `process` and `console` as a script finds them. */

export const GLOBALS_SOURCE: string = String.raw`
import { exit, say, shown, uncaught } from "./link.js";

export function install(init) {
  if (globalThis.process !== undefined) installNode(init);
  addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    uncaught(event.reason);
  });
  addEventListener("error", (event) => {
    event.preventDefault();
    uncaught(event.error);
  });
}

function installNode({ argv, cwd, env, stdin }) {
  const { process } = globalThis;
  let at = cwd;
  const lazy = (make) => {
    let made;
    return { configurable: true, enumerable: true, get: () => (made ??= make()) };
  };
  process.env = { ...env };
  process.argv = argv;
  Object.defineProperties(process, {
    stdin: lazy(() => readable(stdin)),
    stdout: lazy(() => writable(0)),
    stderr: lazy(() => writable(1)),
    cwd: { configurable: true, value: () => at },
    chdir: { configurable: true, value: (path) => { at = process.getBuiltinModule("node:path").posix.resolve(at, String(path)); } },
    exit: { configurable: true, value: (code = process.exitCode ?? 0) => exit(Number(code)) },
  });
  globalThis.console = makeConsole();
  for (const name of ["setTimeout", "setInterval", "setImmediate", "queueMicrotask"]) globalThis[name] = guarded(globalThis[name]);
}

/** What is thrown in a timer ends the run, as it ends a process. */
function guarded(schedule) {
  return (task, ...args) => schedule(typeof task !== "function" ? task : (...given) => {
    try {
      return task(...given);
    } catch (error) {
      uncaught(error);
    }
  }, ...args);
}

function readable(bytes) {
  const { Readable } = process.getBuiltinModule("node:stream");
  const stream = new Readable({ read() {} });
  if (bytes.length > 0) stream.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  stream.push(null);
  return Object.assign(stream, { fd: 0, isTTY: false });
}

function writable(to) {
  const { Writable } = process.getBuiltinModule("node:stream");
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, encoding, done) {
      say(to, typeof chunk === "string" ? text(chunk, encoding) : new Uint8Array(chunk));
      done();
    },
  });
  return Object.assign(stream, { fd: to + 1, isTTY: false });
}

function text(chunk, encoding) {
  return encoding === "utf8" || encoding === "utf-8" || encoding === "buffer" ? chunk : new Uint8Array(Buffer.from(chunk, encoding));
}

function makeConsole() {
  const util = () => process.getBuiltinModule("node:util");
  const counts = new Map();
  const timers = new Map();
  let indent = "";
  const print = (to, ...args) => {
    const line = args.length === 1 && typeof args[0] === "string" ? args[0] : util().format(...args);
    say(to, (indent === "" ? shown(line) : indent + shown(line).replaceAll("\n", "\n" + indent)) + "\n");
  };
  const log = (...args) => print(0, ...args);
  const error = (...args) => print(1, ...args);
  const took = (label) => label + ": " + (performance.now() - (timers.get(label) ?? performance.now())).toFixed(3) + "ms";
  const group = (...args) => {
    if (args.length > 0) log(...args);
    indent += "  ";
  };
  return {
    log, info: log, debug: log, error, warn: error,
    trace: (...args) => error("Trace: " + util().format(...args) + "\n" + (new Error().stack ?? "").split("\n").slice(2).join("\n")),
    dir: (value, options) => log(util().inspect(value, { customInspect: false, ...options })),
    dirxml: log,
    table: (rows) => log(table(rows, util().inspect)),
    assert: (ok, ...args) => { if (!ok) error(...(args.length > 0 ? ["Assertion failed: " + util().format(...args)] : ["Assertion failed"])); },
    count: (label = "default") => { counts.set(label, (counts.get(label) ?? 0) + 1); log(label + ": " + counts.get(label)); },
    countReset: (label = "default") => void counts.delete(label),
    group, groupCollapsed: group,
    groupEnd: () => { indent = indent.slice(2); },
    time: (label = "default") => void timers.set(label, performance.now()),
    timeLog: (label = "default", ...args) => log(took(label), ...args),
    timeEnd: (label = "default") => { log(took(label)); timers.delete(label); },
    clear() {}, timeStamp() {}, profile() {}, profileEnd() {},
  };
}

function table(rows, inspect) {
  if (typeof rows !== "object" || rows === null) return inspect(rows);
  const entries = Object.entries(rows);
  const columns = [...new Set(entries.flatMap(([, row]) => (typeof row === "object" && row !== null ? Object.keys(row) : ["Values"])))];
  const lines = [["(index)", ...columns], ...entries.map(([index, row]) => [index, ...columns.map((column) => {
    if (typeof row !== "object" || row === null) return column === "Values" ? inspect(row) : "";
    return column in row ? inspect(row[column]) : "";
  })])];
  const widths = lines[0].map((_, i) => Math.max(...lines.map((line) => line[i].length)));
  return lines.map((line) => line.map((cell, i) => cell.padEnd(widths[i])).join("  ").trimEnd()).join("\n");
}
`;

/** What `node:process` is to a script. */
export const PROCESS_SOURCE: string = `
const process = globalThis.process;
export default process;
export const { argv, arch, chdir, cwd, emitWarning, env, exit, hrtime, memoryUsage, nextTick, pid, platform, stderr, stdin, stdout, uptime, version, versions } = process;
`;

/** In the isolate: the one line to the host. What a script asks within one turn travels in one call. */

export const LINK_SOURCE: string = String.raw`
const FRAME_BYTES = 512 * 1024;
const KEPT_BYTES = 8 * 1024 * 1024;
const encoder = new TextEncoder();

let host;
let limits;
let running = 0;
const waiting = [];
const pending = new Set();

export let started = false;
export const begin = () => { started = true; };

export function attach(stub, given) {
  host = stub;
  limits = given;
}

/** A call that counts as under way until it has settled. */
function track(promise) {
  pending.add(promise);
  const done = () => pending.delete(promise);
  promise.then(done, done);
  return promise;
}

async function inTurn(task) {
  if (running >= limits.concurrency) await new Promise((resolve) => waiting.push(resolve));
  running += 1;
  try {
    return await task();
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

/* Host modules */

export function callModule(module, name, args) {
  const text = toJson(args, "arguments");
  return track(inTurn(async () => {
    const answer = await host.call(module, name, text);
    changed(answer.foreign);
    if (answer.error !== undefined) throw revived(answer.error);
    return answer.value === undefined ? undefined : JSON.parse(answer.value);
  }));
}

/* Files */

let queue = [];
let asking = false;
let foreign = 0;
let kept = new Map();
let keptBytes = 0;
const PURE = new Set(["read", "stat", "lstat", "readdir", "access", "realpath", "readlink"]);

/** Forgets what was read, where another has changed files since. */
export function changed(rev) {
  if (rev <= foreign) return;
  foreign = rev;
  forget();
}

function forget() {
  kept = new Map();
  keptBytes = 0;
}

/** One operation on files: its name, then its arguments. */
export function ask(...op) {
  const key = PURE.has(op[0]) ? JSON.stringify(op) : undefined;
  if (key === undefined) forget();
  else if (kept.has(key) && queue.length === 0) return Promise.resolve(copied(kept.get(key)));
  return track(new Promise((resolve, reject) => {
    queue.push({ op, key, resolve, reject });
    if (asking) return;
    asking = true;
    queueMicrotask(askAll);
  }));
}

async function askAll() {
  while (queue.length > 0) {
    const asked = batch();
    try {
      const { error, foreign: changedAt, rev, results } = await inTurn(() => host.files(asked.map(({ op }) => op)));
      changed(changedAt);
      const mutates = asked.some(({ key }) => key === undefined);
      for (const [index, result] of results.entries()) {
        const { key, resolve, reject } = asked[index];
        if (result.error !== undefined) reject(revived(result.error));
        else {
          if (key !== undefined && !mutates && rev >= foreign) keep(key, result.value);
          resolve(copied(result.value));
        }
      }
      if (error === undefined) queue.unshift(...asked.slice(results.length));
      else for (const { reject } of asked.slice(results.length)) reject(revived(error));
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }
  asking = false;
}

/** As many operations as one call may have. */
function batch() {
  let bytes = 0;
  let count = 0;
  while (count < queue.length && count < limits.batch) {
    bytes += sizeOf(queue[count].op);
    if (count > 0 && bytes > limits.requestBytes) break;
    count += 1;
  }
  return queue.splice(0, count);
}

function sizeOf(op) {
  let bytes = 64;
  for (const part of op) bytes += typeof part === "string" ? part.length * 3 : (part?.byteLength ?? 8);
  return bytes;
}

function keep(key, value) {
  const bytes = 256 + key.length + (value?.byteLength ?? 0);
  if (keptBytes + bytes > KEPT_BYTES) return;
  keptBytes += bytes;
  kept.set(key, value);
}

/** A script may write into what it was given. */
function copied(value) {
  return value instanceof Uint8Array ? value.slice() : value;
}

export function revived({ message, name, ...more }) {
  const error = new Error(message);
  if (name !== undefined && name !== "Error") Object.defineProperty(error, "name", { value: name, configurable: true, writable: true });
  return Object.assign(error, more);
}

/* Output */

let frames = [];
let saying = false;
let silenced = false;

export function say(stream, chunk) {
  if (silenced) return;
  frames.push([stream, chunk]);
  if (saying) return;
  saying = true;
  queueMicrotask(sayAll);
}

async function sayAll() {
  while (frames.length > 0) {
    const said = merged(frames);
    frames = [];
    try {
      for (let at = 0; at < said.length; at += 16) await host.say(said.slice(at, at + 16));
    } catch {
      silenced = true;
      frames = [];
    }
  }
  saying = false;
}

/** Neighbours of one stream in one piece each, none of them too long. */
function merged(parts) {
  const pieces = [];
  let text = "";
  let stream;
  const flush = () => {
    if (text !== "") pieces.push([stream, encoder.encode(text)]);
    text = "";
  };
  for (const [to, chunk] of parts) {
    if (to !== stream || typeof chunk !== "string") flush();
    stream = to;
    if (typeof chunk === "string") text += chunk;
    else pieces.push([to, chunk]);
  }
  flush();
  const frames = [];
  for (const [to, bytes] of pieces) {
    for (let at = 0; at < bytes.length; at += FRAME_BYTES) frames.push([to, bytes.subarray(at, at + FRAME_BYTES)]);
  }
  return frames;
}

/** Resolves once nothing is under way any more. */
export async function drained() {
  while (pending.size > 0 || saying) {
    if (pending.size > 0) await Promise.allSettled([...pending]);
    else await new Promise((resolve) => setTimeout(resolve, 0));
  }
}

/* Ends */

export class Exit extends Error {}

let leave;
export const left = new Promise((resolve) => { leave = resolve; });

export function exit(code) {
  leave(code);
  throw new Exit("process.exit(" + code + ")");
}

/** An error that nobody caught ends the run, as it ends a process. */
export function uncaught(error) {
  if (error instanceof Exit) return;
  say(1, described(error) + "\n");
  leave(1);
}

export function described(error) {
  const inspect = globalThis.process === undefined ? plainly : process.getBuiltinModule("node:util").inspect;
  return shown(error instanceof Error ? inspect(error) : "Uncaught " + inspect(error));
}

/** Without Node: a script that does not name it has errors, and little else to show. */
function plainly(value) {
  if (!(value instanceof Error)) return typeof value === "string" ? JSON.stringify(value) : String(JSON.stringify(value) ?? value);
  const cause = value.cause === undefined ? "" : " {\n  [cause]: " + plainly(value.cause).replaceAll("\n", "\n  ") + "\n}";
  return (value.stack ?? String(value)) + cause;
}

/** The paths of modules as the workspace has them. */
export function shown(text) {
  return text.includes("file:///bundle/") ? text.replaceAll("file:///bundle/", "file:///").replaceAll("%3Cscript%3E", "<script>") : text;
}

/** The JSON of plain data; anything else is a TypeError that names where it is. */
export function toJson(value, name) {
  check(value, name, new Set());
  return JSON.stringify(value);
}

function check(value, path, above) {
  if (value === null || typeof value === "string" || typeof value === "boolean") return;
  if (typeof value === "number" && Number.isFinite(value)) return;
  if (typeof value !== "object") throw bad(path, typeof value === "number" ? String(value) : value === undefined ? "undefined" : "a " + typeof value);
  if (above.has(value)) throw bad(path, "part of a circle");
  const prototype = Object.getPrototypeOf(value);
  if (typeof value.toJSON === "function" || !(Array.isArray(value) || prototype === null || prototype === Object.prototype)) {
    throw bad(path, "a " + (value.constructor?.name || "special object"));
  }
  above.add(value);
  if (Array.isArray(value)) for (let i = 0; i < value.length; i++) check(value[i], path + "[" + i + "]", above);
  else {
    if (Object.getOwnPropertySymbols(value).length > 0) throw bad(path, "an object with symbols as keys");
    for (const key of Object.keys(value)) check(value[key], path + (/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(key) ? "." + key : "[" + JSON.stringify(key) + "]"), above);
  }
  above.delete(value);
}

function bad(path, what) {
  return new TypeError("Only data that JSON can carry crosses the border of a run: " + path + " is " + what + ".");
}
`;

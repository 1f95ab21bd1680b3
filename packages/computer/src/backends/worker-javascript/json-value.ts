/** Data that JSON can carry, checked on the host whatever an isolate says of it. */

import type { WorkspaceRuntimeValue } from "../../runtime/event.ts";

/** Nested deeper than this it is refused: what reads it later may recurse. */
const DEPTH_MAX = 500;

/** The value of a text of JSON; `TypeError` for what is none, or too deep. */
export function parseJson(text: string, name: string): WorkspaceRuntimeValue {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new TypeError(`${name} is not JSON.`);
  }
  checkJson(value, name);
  return value;
}

/** Throws a `TypeError` that names the path to what JSON cannot carry. */
export function checkJson(value: unknown, name: string, depth = 0): asserts value is WorkspaceRuntimeValue {
  if (value === null || typeof value === "string" || typeof value === "boolean") return;
  if (typeof value === "number" && Number.isFinite(value)) return;
  if (depth > DEPTH_MAX) throw new TypeError(`${name.slice(0, 80)}… is nested deeper than ${DEPTH_MAX} levels.`);
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) checkJson(value[at], `${name}[${at}]`, depth + 1);
    return;
  }
  if (typeof value !== "object" || !isPlain(value)) {
    throw new TypeError(`Only data that JSON can carry crosses the border of a run: ${name} is ${kindOf(value)}.`);
  }
  for (const [key, inner] of Object.entries(value)) {
    checkJson(
      inner,
      `${name}${/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`}`,
      depth + 1,
    );
  }
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function kindOf(value: unknown): string {
  if (typeof value === "object" && value !== null) return `a ${value.constructor?.name ?? "special object"}`;
  return typeof value === "number" || value === undefined ? String(value) : `a ${typeof value}`;
}

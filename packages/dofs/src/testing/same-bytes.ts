/** Comparing contents, which may be large: `toEqual` takes seconds for what this does in milliseconds. */

import { expect } from "vitest";

/** Fails at the first byte that differs, and where the one is no array of bytes. */
export function expectSameBytes(actual: unknown, expected: Uint8Array): void {
  if (!(actual instanceof Uint8Array)) return void expect(actual).toEqual(expected);
  expect(actual.length).toBe(expected.length);
  let same = 0;
  while (same < actual.length && actual[same] === expected[same]) same++;
  expect(same, "the first byte that differs").toBe(actual.length);
}

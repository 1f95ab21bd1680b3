/** `tr` as GNU has it: over bytes. */

import type { CustomCommand } from "just-bash";
import { byteString, bytesOf } from "../engine/byte-string.ts";
import { command, Failure, type Outcome, type Shell } from "./command.ts";
import { type Parsed, parseOptions } from "./options.ts";

export const tr: CustomCommand = command("tr", run);

const TR_OPTIONS = ["c,C,complement", "d,delete", "s,squeeze-repeats", "t,truncate-set1"] as const;

function run(shell: Shell): Outcome {
  const options = parseOptions(shell.args, TR_OPTIONS, { posix: true });
  const [first, second, extra] = options.operands;
  if (first === undefined) throw new Failure("missing operand");
  const one = options.has("d") ? (options.has("s") ? 2 : 1) : 2;
  if (options.operands.length < one && !(options.has("s") && !options.has("d")))
    throw new Failure(`missing operand after '${first}'`);
  if (extra !== undefined || (options.has("d") && !options.has("s") && second !== undefined))
    throw new Failure(`extra operand '${extra ?? second}'`);
  const { chosen, places } = setOf(first, options);
  const squeezed = second === undefined ? chosen : setOf(second, { has: () => false }).chosen;
  const target = second === undefined || options.has("d") ? undefined : places(second);
  const input = shell.stdin();
  const output = new Uint8Array(input.length);
  let length = 0;
  let last = -1;
  for (const byte of input) {
    if (options.has("d") && chosen[byte] === 1) continue;
    const mapped = target === undefined ? byte : (target[byte] ?? byte);
    if (options.has("s") && mapped === last && squeezed[mapped] === 1) continue;
    output[length++] = mapped;
    last = mapped;
  }
  return { stdout: output.subarray(0, length) };
}

/** The bytes of a set, and what each becomes by a second one. GNU's `tr` knows bytes only. */
function setOf(text: string, options: Pick<Parsed, "has">): { chosen: Uint8Array; places(second: string): number[] } {
  const listed = bytesIn(text);
  const chosen = new Uint8Array(256);
  for (const byte of listed) chosen[byte] = 1;
  let order = listed;
  if (options.has("c")) {
    for (let byte = 0; byte < 256; byte++) chosen[byte] = chosen[byte] === 1 ? 0 : 1;
    order = [...chosen.keys()].filter((byte) => chosen[byte] === 1);
  }
  return {
    chosen,
    places(second) {
      const to = bytesIn(second, order.length);
      if (to.length === 0) throw new Failure("when not truncating set1, string2 must be non-empty");
      const map: number[] = [];
      order.forEach((byte, at) => {
        if (at < to.length || !options.has("t")) map[byte] = to[Math.min(at, to.length - 1)] ?? byte;
      });
      return map;
    },
  };
}

const ESCAPES: Readonly<Record<string, number>> = { "\\": 92, a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 };
const TR_CLASSES: Readonly<Record<string, RegExp>> = {
  alpha: /[A-Za-z]/,
  digit: /[0-9]/,
  alnum: /[A-Za-z0-9]/,
  upper: /[A-Z]/,
  lower: /[a-z]/,
  space: /[\t-\r ]/,
  blank: /[\t ]/,
  punct: /[!-/:-@[-`{-~]/,
  print: /[ -~]/,
  graph: /[!-~]/,
  cntrl: /\p{Cc}/u,
  xdigit: /[0-9A-Fa-f]/,
};

function bytesIn(text: string, wanted = 0): number[] {
  const bytes: number[] = [];
  const raw = byteText(text);
  const next = (at: number): [number, number] => {
    if (raw[at] !== "\\") return [raw.charCodeAt(at), at + 1];
    const octal = /^[0-7]{1,3}/.exec(raw.slice(at + 1))?.[0];
    if (octal !== undefined) return [Number.parseInt(octal, 8) % 256, at + 1 + octal.length];
    const letter = raw[at + 1] ?? "\\";
    return [ESCAPES[letter] ?? letter.charCodeAt(0), at + 2];
  };
  for (let at = 0; at < raw.length; ) {
    const named = /^\[:([a-z]+):\]/.exec(raw.slice(at));
    const known = named === null ? undefined : TR_CLASSES[named[1] ?? ""];
    if (named !== null) {
      if (known === undefined) throw new Failure(`invalid character class '${named[1]}'`);
      for (let byte = 0; byte < 256; byte++) if (known.test(String.fromCharCode(byte))) bytes.push(byte);
      at += named[0].length;
      continue;
    }
    const filled = /^\[(.)\*(\d*)\]/.exec(raw.slice(at));
    if (filled !== null) {
      const count =
        filled[2] === "" || Number(filled[2]) === 0 ? Math.max(0, wanted - bytes.length) : Number(filled[2]);
      for (let times = 0; times < count; times++) bytes.push((filled[1] ?? "").charCodeAt(0));
      at += filled[0].length;
      continue;
    }
    const [from, after] = next(at);
    if (raw[after] === "-" && after + 1 < raw.length) {
      const [to, past] = next(after + 1);
      if (to < from)
        throw new Failure(`range-endpoints of '${raw.slice(at, past)}' are in reverse collating sequence order`);
      for (let byte = from; byte <= to; byte++) bytes.push(byte);
      at = past;
    } else {
      bytes.push(from);
      at = after;
    }
  }
  return bytes;
}

function byteText(text: string): string {
  return byteString(bytesOf(text));
}

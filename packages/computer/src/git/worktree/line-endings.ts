/** Line endings between the work tree and the repository, as attributes and settings ask for them. */

import { Buffer } from "node:buffer";
import { isBinary } from "../diff/binary.ts";
import { viewOf } from "../objects/object-id.ts";
import type { Repository } from "../repository/repository.ts";
import { Attributes } from "./attributes.ts";

interface Rule {
  /** Whether it is text; `auto` where the contents say. */
  readonly text: boolean | "auto";
  readonly crlf: boolean;
}

const known = new WeakMap<Repository, Attributes>();

export function attributesOf(repository: Repository): Attributes {
  const attributes = known.get(repository) ?? new Attributes(repository);
  known.set(repository, attributes);
  return attributes;
}

/** What is staged of a file's contents. */
export function toRepository(repository: Repository, path: string, data: Uint8Array): Uint8Array {
  const bytes = viewOf(data);
  if (!bytes.includes("\r\n", 0, "latin1")) return data;
  const { text } = ruleOf(repository, path);
  if (text === false || (text === "auto" && isBinary(data))) return data;
  // A file that was staged with carriage returns keeps them.
  if (text === "auto") {
    const staged = repository.index.get(path);
    if (staged !== undefined && viewOf(repository.objects.read(staged.oid, "blob").data).includes("\r\n", 0, "latin1"))
      return data;
  }
  return encode(bytes.toString("latin1").replaceAll("\r\n", "\n"));
}

/** What a file gets of what is staged. */
export function toWorkTree(repository: Repository, path: string, data: Uint8Array): Uint8Array {
  const { text, crlf } = ruleOf(repository, path);
  if (!crlf || text === false) return data;
  const bytes = viewOf(data);
  if (!bytes.includes(0x0a) || (text === "auto" && (isBinary(data) || bytes.includes(0x0d)))) return data;
  return encode(bytes.toString("latin1").replaceAll(/\r?\n/g, "\r\n"));
}

function encode(text: string): Uint8Array {
  return Buffer.from(text, "latin1");
}

function ruleOf(repository: Repository, path: string): Rule {
  const attributes = attributesOf(repository).of(path);
  const auto = repository.config.get("core.autocrlf")?.toLowerCase();
  const eol = attributes.get("eol");
  const text = attributes.get("text") ?? attributes.get("crlf");
  const crlf =
    eol === "crlf" || (eol === undefined && (auto === "true" || repository.config.get("core.eol") === "crlf"));
  if (text === false) return { text: false, crlf: false };
  if (text === "auto") return { text: "auto", crlf };
  if (text === true || eol === "lf" || eol === "crlf") return { text: true, crlf };
  if (auto === "true") return { text: "auto", crlf: true };
  return { text: auto === "input" ? "auto" : false, crlf: false };
}

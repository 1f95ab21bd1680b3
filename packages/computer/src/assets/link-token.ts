/** The last part of a signed link: an id, when it ends, and a signature of both. */

import { createHmac } from "node:crypto";
import { equalTokens } from "../proxy/egress-token.ts";

export interface LinkToken {
  readonly id: string;
  /** Seconds since 1970. */
  readonly expires: number;
}

const FORM = /^([0-9A-Z]{26})\.(\d{1,12})\.[\w-]{43}$/;

/** A token says nothing but when it ends: its id is random. */
export function signToken({ id, expires }: LinkToken, key: Uint8Array): string {
  const text = `${id}.${expires}`;
  return `${text}.${createHmac("sha256", key).update(text).digest("base64url")}`;
}

/** What a token says; undefined where it was not signed with this key, to the last character. */
export function readToken(text: string, key: Uint8Array): LinkToken | undefined {
  const [, id, expires] = FORM.exec(text) ?? [];
  if (id === undefined) return undefined;
  const token = { id, expires: Number(expires) };
  // As texts, since base64 spells the same bytes in several ways.
  return equalTokens(text, signToken(token, key)) ? token : undefined;
}

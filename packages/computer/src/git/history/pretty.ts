/** Commits in the forms that a log can give them. */

import { bodyOf, type Commit, type Person, subjectOf } from "../objects/commit.ts";
import { dateText } from "../repository/date.ts";
import type { Repository } from "../repository/repository.ts";
import { abbreviate } from "../repository/rev-parse.ts";
import type { Decorations } from "./decorations.ts";

export interface PrettyOptions {
  readonly repository: Repository;
  /** `medium`, `oneline`, `format:…` and the like. */
  readonly format: string;
  readonly dateFormat: string;
  readonly decorations: Decorations | undefined;
  /** For `%d` and `%D`, which show them whether or not they were asked for. */
  readonly anyDecorations: Decorations;
  readonly abbreviated: boolean;
  /** What `%gd` and `%gs` are, in a log of a reference. */
  readonly log?: { readonly selector: string; readonly subject: string } | undefined;
  readonly digits?: number | undefined;
}

export function isUserFormat(format: string): boolean {
  return /^t?format:/.test(format);
}

/** A commit's text; it ends in a newline unless the format is the user's own. */
export function prettyText(commit: Commit, options: PrettyOptions): string {
  const { repository, format, decorations, abbreviated } = options;
  if (isUserFormat(format)) return userText(format.slice(format.indexOf(":") + 1), commit, options);
  const name = abbreviated || format === "reference" ? short(options, commit.oid) : commit.oid;
  const shown = decorations?.text(commit.oid) ?? "";
  const head = `${name}${shown === "" ? "" : ` (${shown})`}`;
  if (format === "oneline") return `${head} ${subjectOf(commit.message)}\n`;
  if (format === "reference") return `${name} (${subjectOf(commit.message)}, ${dateText(commit.author, "short", 0)})\n`;
  const lines = [`commit ${head}`];
  const person = (label: string, { name: who, email }: Person): string => `${label} ${who} <${email}>`;
  const date = (label: string, when: Person): string =>
    `${label} ${dateText(when, options.dateFormat, Math.floor(repository.now() / 1000))}`;
  if (format === "raw") {
    lines.push(`tree ${commit.tree}`, ...commit.parents.map((parent) => `parent ${parent}`));
    for (const role of ["author", "committer"] as const) {
      const { name: who, email, timestamp, zone } = commit[role];
      lines.push(`${role} ${who} <${email}> ${timestamp} ${zone}`);
    }
  } else {
    if (commit.parents.length > 1)
      lines.push(`Merge: ${commit.parents.map((parent) => short(options, parent)).join(" ")}`);
    if (format === "short" || format === "medium" || format === "full") lines.push(person("Author:", commit.author));
    if (format === "medium") lines.push(date("Date:  ", commit.author));
    if (format === "full") lines.push(person("Commit:", commit.committer));
    if (format === "fuller") {
      lines.push(person("Author:    ", commit.author), date("AuthorDate:", commit.author));
      lines.push(person("Commit:    ", commit.committer), date("CommitDate:", commit.committer));
    }
  }
  const message = commit.message.replace(/^\n+/, "").replace(/\s+$/, "");
  const shownMessage = format === "short" ? subjectOf(commit.message) : message;
  const indented =
    shownMessage === "" ? [] : shownMessage.split("\n").map((line) => `    ${line}`.replace(/^ {4}$/, "    "));
  return `${[...lines, "", ...indented].join("\n")}\n`;
}

function short(options: PrettyOptions, oid: string): string {
  return abbreviate(options.repository, oid, options.digits);
}

const COLOURS = /^C(?:\([^)]*\)|red|green|blue|reset)/;

function userText(format: string, commit: Commit, options: PrettyOptions): string {
  let text = "";
  let padding: { width: number; side: "left" | "right" | "both" } | undefined;
  for (let at = 0; at < format.length; ) {
    if (format[at] !== "%") {
      text += format[at++];
      continue;
    }
    const rest = format.slice(at + 1);
    const pad = /^(<|>|><)\(\s*(\d+)(?:,[^)]*)?\)/.exec(rest);
    if (pad !== null) {
      padding = { width: Number(pad[2]), side: pad[1] === "<" ? "left" : pad[1] === ">" ? "right" : "both" };
      at += 1 + pad[0].length;
      continue;
    }
    const { value, length } = placeholder(rest, commit, options);
    at += 1 + length;
    text += padding === undefined ? value : padded(value, padding.width, padding.side);
    padding = undefined;
  }
  return text;
}

function padded(text: string, width: number, side: "left" | "right" | "both"): string {
  const missing = Math.max(width - [...text].length, 0);
  if (side === "left") return text + " ".repeat(missing);
  if (side === "right") return " ".repeat(missing) + text;
  return " ".repeat(Math.floor(missing / 2)) + text + " ".repeat(Math.ceil(missing / 2));
}

/** The value of the placeholder at the beginning of a text, and how long it is; `%` itself where there is none. */
function placeholder(rest: string, commit: Commit, options: PrettyOptions): { value: string; length: number } {
  const colour = COLOURS.exec(rest);
  if (colour !== null) return { value: "", length: colour[0].length };
  const byte = /^x([0-9a-fA-F]{2})/.exec(rest);
  if (byte !== null) return { value: String.fromCharCode(Number.parseInt(byte[1]!, 16)), length: 3 };
  // `%+b` begins with a newline where there is something, `% b` with a blank, `%-b` takes one away.
  const sign = /^[+ ]/.exec(rest);
  if (sign !== null) {
    const inner = placeholder(rest.slice(1), commit, options);
    return { value: inner.value === "" ? "" : (sign[0] === "+" ? "\n" : " ") + inner.value, length: inner.length + 1 };
  }
  for (const length of [2, 1]) {
    const value = simple(rest.slice(0, length), commit, options);
    if (value !== undefined) return { value, length };
  }
  return { value: "%", length: 0 };
}

function simple(name: string, commit: Commit, options: PrettyOptions): string | undefined {
  const person = { a: commit.author, c: commit.committer }[name[0] ?? ""];
  if (person !== undefined && name.length === 2) return personValue(name[1]!, person, options);
  switch (name) {
    case "H":
      return commit.oid;
    case "h":
      return short(options, commit.oid);
    case "T":
      return commit.tree;
    case "t":
      return short(options, commit.tree);
    case "P":
      return commit.parents.join(" ");
    case "p":
      return commit.parents.map((oid) => short(options, oid)).join(" ");
    case "s":
      return subjectOf(commit.message);
    case "f":
      return subjectOf(commit.message)
        .replaceAll(/[^A-Za-z0-9._]+/g, "-")
        .replaceAll(/\.{2,}/g, ".")
        .replace(/^-+|[-.]+$/g, "");
    case "b":
      return bodyOf(commit.message);
    case "B":
      return commit.message;
    case "n":
      return "\n";
    case "%":
      return "%";
    case "m":
      return ">";
    case "e":
    case "N":
      return "";
    case "G?":
      return "N";
    case "d": {
      const text = (options.decorations ?? options.anyDecorations).text(commit.oid);
      return text === "" ? "" : ` (${text})`;
    }
    case "D":
      return (options.decorations ?? options.anyDecorations).text(commit.oid);
    case "gd":
    case "gD":
      return options.log?.selector ?? "";
    case "gs":
      return options.log?.subject ?? "";
  }
  return undefined;
}

function personValue(letter: string, person: Person, { dateFormat, repository }: PrettyOptions): string | undefined {
  const now = Math.floor(repository.now() / 1000);
  switch (letter) {
    case "n":
    case "N":
      return person.name;
    case "e":
    case "E":
      return person.email;
    case "l":
    case "L":
      return person.email.split("@")[0];
    case "d":
      return dateText(person, dateFormat, now);
    case "D":
      return dateText(person, "rfc", now);
    case "r":
      return dateText(person, "relative", now);
    case "t":
      return String(person.timestamp);
    case "i":
      return dateText(person, "iso", now);
    case "I":
      return dateText(person, "iso-strict", now);
    case "s":
      return dateText(person, "short", now);
  }
  return undefined;
}

/** A file of git's configuration: read for its values, changed without touching the rest of its text. */

import { fatal } from "../git-error.ts";

interface Setting {
  /** `section.key` or `section.subsection.key`, section and key in small letters. */
  readonly name: string;
  readonly value: string;
  /** The lines it takes, the last one not included. */
  readonly from: number;
  readonly to: number;
}

interface Section {
  /** `section` or `section.subsection`. */
  readonly name: string;
  readonly line: number;
}

export class ConfigFile {
  #lines: string[];
  #settings: Setting[] = [];
  #sections: Section[] = [];

  constructor(text = "") {
    this.#lines = text.split("\n");
    if (this.#lines.at(-1) === "") this.#lines.pop();
    this.#parse();
  }

  get text(): string {
    return this.#lines.map((line) => `${line}\n`).join("");
  }

  /** Every setting in the file's order. */
  get settings(): readonly { name: string; value: string }[] {
    return this.#settings;
  }

  /** Makes this the only value of a name, or the last one where `append`. */
  set(name: string, value: string, append = false): void {
    const key = normalName(name);
    const there = this.#settings.filter((setting) => setting.name === key);
    const line = `\t${name.slice(name.lastIndexOf(".") + 1)} = ${quoted(value)}`;
    if (there.length > 0 && !append) {
      const last = there.at(-1)!;
      this.#lines.splice(last.from, last.to - last.from, line);
    } else {
      const section = sectionOf(key);
      const at = this.#sections.findLast(({ name: known }) => known === section);
      if (at === undefined) this.#lines.push(headerOf(name), line);
      else this.#lines.splice(this.#endOf(at), 0, line);
    }
    this.#parse();
  }

  /** Removes a name's values; whether there were any. A section that is left empty goes too. */
  unset(name: string): boolean {
    const key = normalName(name);
    const there = this.#settings.filter((setting) => setting.name === key);
    for (const { from, to } of there.toReversed()) this.#lines.splice(from, to - from);
    this.#parse();
    if (there.length > 0) this.#dropEmpty(sectionOf(key));
    return there.length > 0;
  }

  /** Removes a section with all in it; whether there was one. */
  removeSection(name: string): boolean {
    const there = this.#sections.filter((section) => section.name === name);
    for (const section of there.toReversed()) {
      this.#lines.splice(section.line, this.#endOf(section) - section.line);
      this.#parse();
    }
    return there.length > 0;
  }

  /** Gives a section another name; whether there was one. */
  renameSection(from: string, to: string): boolean {
    const there = this.#sections.filter((section) => section.name === from);
    for (const { line } of there) this.#lines[line] = headerOf(`${to}.x`);
    this.#parse();
    return there.length > 0;
  }

  #dropEmpty(name: string): void {
    for (const section of this.#sections.filter((known) => known.name === name).toReversed()) {
      const end = this.#endOf(section);
      if (this.#lines.slice(section.line + 1, end).every((line) => line.trim() === "")) {
        this.#lines.splice(section.line, end - section.line);
        this.#parse();
      }
    }
  }

  #endOf(section: Section): number {
    const next = this.#sections.find(({ line }) => line > section.line);
    let end = next?.line ?? this.#lines.length;
    while (end > section.line + 1 && this.#lines[end - 1]!.trim() === "") end--;
    return end;
  }

  #parse(): void {
    this.#settings = [];
    this.#sections = [];
    let section = "";
    for (let at = 0; at < this.#lines.length; ) {
      const from = at;
      let line = this.#lines[at++]!.trim();
      const header = /^\[([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\]\s*(.*)$/.exec(line);
      if (header !== null) {
        const [, name = "", subsection, rest = ""] = header;
        section =
          subsection === undefined ? name.toLowerCase() : `${name.toLowerCase()}.${subsection.replace(/\\(.)/g, "$1")}`;
        this.#sections.push({ name: section, line: from });
        line = rest;
      }
      if (line === "" || line.startsWith("#") || line.startsWith(";")) continue;
      const match = /^([A-Za-z][\w-]*)\s*(=?)\s*(.*)$/s.exec(line);
      if (match === null || section === "") throw fatal(`bad config line ${from + 1} in file config`, "ECONFIG");
      let raw = match[3]!;
      while (/(^|[^\\])(\\\\)*\\$/.test(raw) && at < this.#lines.length) raw = raw.slice(0, -1) + this.#lines[at++]!;
      const value = match[2] === "=" ? unquoted(raw) : "true";
      this.#settings.push({ name: `${section}.${match[1]!.toLowerCase()}`, value, from, to: at });
    }
  }
}

/** A name with its section and key in small letters. */
export function normalName(name: string): string {
  const first = name.indexOf(".");
  const last = name.lastIndexOf(".");
  if (first <= 0 || last === name.length - 1) throw fatal(`key does not contain a section: ${name}`, "ECONFIG");
  return `${name.slice(0, first).toLowerCase()}${name.slice(first, last)}${name.slice(last).toLowerCase()}`;
}

function sectionOf(name: string): string {
  return name.slice(0, name.lastIndexOf("."));
}

function headerOf(name: string): string {
  const section = sectionOf(name);
  const dot = section.indexOf(".");
  if (dot < 0) return `[${section}]`;
  return `[${section.slice(0, dot)} "${section.slice(dot + 1).replace(/[\\"]/g, "\\$&")}"]`;
}

function quoted(value: string): string {
  const escaped = value.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\t", "\\t");
  return /^\s|\s$|[;#]/.test(value) ? `"${escaped}"` : escaped;
}

function unquoted(text: string): string {
  let value = "";
  let kept = 0;
  let inside = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (char === "\\") {
      const next = text[++at] ?? "";
      value += { n: "\n", t: "\t", b: "\b" }[next] ?? next;
      kept = value.length;
    } else if (char === '"') {
      inside = !inside;
      kept = value.length;
    } else if (!inside && (char === "#" || char === ";")) break;
    else {
      value += char;
      if (inside || !/\s/.test(char)) kept = value.length;
    }
  }
  return value.slice(0, kept);
}

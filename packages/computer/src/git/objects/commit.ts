/** Commits and tags: their headers, and their message. */

export interface Person {
  readonly name: string;
  readonly email: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  /** `+0100` and the like. */
  readonly zone: string;
}

export interface Commit {
  readonly oid: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Person;
  readonly committer: Person;
  readonly message: string;
}

/** The headers of an object, each name with its values, and what follows them. */
export function parseHeaders(text: string): { headers: Map<string, string[]>; body: string } {
  const headers = new Map<string, string[]>();
  let at = 0;
  let last: string[] | undefined;
  while (at < text.length && text[at] !== "\n") {
    let end = text.indexOf("\n", at);
    if (end < 0) end = text.length;
    const line = text.slice(at, end);
    if (line.startsWith(" ") && last !== undefined) last[last.length - 1] += `\n${line.slice(1)}`;
    else {
      const space = line.indexOf(" ");
      const name = space < 0 ? line : line.slice(0, space);
      last = headers.get(name) ?? [];
      last.push(line.slice(space + 1));
      headers.set(name, last);
    }
    at = end + 1;
  }
  return { headers, body: text.slice(at + 1) };
}

export function parseCommit(oid: string, data: Uint8Array): Commit {
  const { headers, body } = parseHeaders(new TextDecoder().decode(data));
  return {
    oid,
    tree: headers.get("tree")?.[0] ?? "",
    parents: headers.get("parent") ?? [],
    author: parsePerson(headers.get("author")?.[0] ?? ""),
    committer: parsePerson(headers.get("committer")?.[0] ?? ""),
    message: body,
  };
}

export function parsePerson(text: string): Person {
  const match = /^(.*?) ?<([^>]*)>(?: (-?\d+) ([+-]\d{4}))?/.exec(text);
  return {
    name: match?.[1] ?? "",
    email: match?.[2] ?? "",
    timestamp: Number(match?.[3] ?? 0),
    zone: match?.[4] ?? "+0000",
  };
}

export function personText({ name, email, timestamp, zone }: Person): string {
  return `${name} <${email}> ${timestamp} ${zone}`;
}

export function commitBytes(commit: Omit<Commit, "oid">): Uint8Array {
  const lines = [
    `tree ${commit.tree}`,
    ...commit.parents.map((parent) => `parent ${parent}`),
    `author ${personText(commit.author)}`,
    `committer ${personText(commit.committer)}`,
  ];
  return new TextEncoder().encode(`${lines.join("\n")}\n\n${commit.message}`);
}

/** The message's first paragraph on one line, as git calls its subject. */
export function subjectOf(message: string): string {
  const lines = message.replace(/^\n+/, "").split("\n");
  const end = lines.findIndex((line) => line.trim() === "");
  return (end < 0 ? lines : lines.slice(0, end)).map((line) => line.trimEnd()).join(" ");
}

/** What follows the subject. */
export function bodyOf(message: string): string {
  const lines = message.replace(/^\n+/, "").split("\n");
  const end = lines.findIndex((line) => line.trim() === "");
  return end < 0
    ? ""
    : lines
        .slice(end)
        .join("\n")
        .replace(/^\s*\n/, "");
}

export interface Tag {
  readonly object: string;
  readonly type: string;
  readonly tag: string;
  readonly tagger: string | undefined;
  readonly message: string;
}

export function parseTag(data: Uint8Array): Tag {
  const { headers, body } = parseHeaders(new TextDecoder().decode(data));
  return {
    object: headers.get("object")?.[0] ?? "",
    type: headers.get("type")?.[0] ?? "",
    tag: headers.get("tag")?.[0] ?? "",
    tagger: headers.get("tagger")?.[0],
    message: body,
  };
}

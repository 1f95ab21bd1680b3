/** The machine's own git, given all situations in one shell script. */

import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Family } from "./generate.ts";
import { environmentOf, type Outcome, type Situation, type Step } from "./step.ts";

const ENVIRONMENT = ["export HOME=/nonexistent GIT_CONFIG_NOSYSTEM=1 LC_ALL=C TZ=UTC", "unset GIT_DIR GIT_WORK_TREE"];

/** Runs situations, each in a directory of its own under `root`; the outcomes of their command lines. */
export function runRealGit(root: string, situations: readonly Situation[]): Map<Situation, Outcome[]> {
  const places = situations.map((situation, i) => ({ situation, place: join(root, `s${i}`) }));
  runScript(
    root,
    places.flatMap(({ situation, place }) => [
      `mkdir -p ${quoted(join(place, "r"))} ${quoted(join(place, "out"))}`,
      ...linesOf(place, situation, 0),
    ]),
  );
  return new Map(places.map(({ situation, place }) => [situation, outcomesOf(place, situation)]));
}

/** The same for families, of which the beginning is run once and then copied. */
export function runRealFamilies(root: string, families: readonly Family[]): Map<Situation, Outcome[]> {
  const places: { situation: Situation; place: string }[] = [];
  const lines: string[] = [];
  for (const [f, { base, members }] of families.entries()) {
    const start = join(root, `f${f}`);
    lines.push(`mkdir -p ${quoted(join(start, "r"))} ${quoted(join(start, "out"))}`, ...linesOf(start, base, 0));
    places.push({ situation: base, place: start });
    for (const [m, member] of members.entries()) {
      const place = join(root, `f${f}m${m}`);
      lines.push(
        `mkdir ${quoted(place)} ${quoted(join(place, "out"))}; cp -a ${quoted(join(start, "r"))} ${quoted(join(place, "r"))}`,
      );
      lines.push(...linesOf(place, member, base.steps.length));
      places.push({ situation: member, place });
    }
  }
  runScript(root, lines);
  return new Map(places.map(({ situation, place }) => [situation, outcomesOf(place, situation)]));
}

/** What git finds wrong with each of these directories. */
export function fsck(root: string, directories: readonly string[]): string[] {
  const out = (i: number): string => join(root, `fsck-${i}`);
  runScript(
    root,
    directories.map(
      (directory, i) =>
        `git -C ${quoted(directory)} fsck --strict --no-dangling --no-progress >${quoted(out(i))} 2>&1 || echo "exit $?" >>${quoted(out(i))}`,
    ),
  );
  return directories.map((_, i) => readFileSync(out(i), "utf8"));
}

function runScript(root: string, lines: readonly string[]): void {
  mkdirSync(root, { recursive: true });
  const script = join(root, "script.sh");
  writeFileSync(script, `${[...ENVIRONMENT, ...lines].join("\n")}\n`);
  const { status, stderr } = spawnSync("bash", [script], { encoding: "utf8", maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`the script of situations failed: ${stderr}`);
}

function linesOf(place: string, { steps }: Situation, first: number): string[] {
  return steps.flatMap((step, i) => shellLines(join(place, "r"), join(place, "out"), { i, time: first + i }, step));
}

function outcomesOf(place: string, { steps }: Situation): Outcome[] {
  return steps.flatMap((step, i) => {
    if (step.kind !== "git") return [];
    const text = (name: string): string =>
      readFileSync(join(place, "out", `${i}.${name}`), "utf8").replaceAll(join(place, "r"), "/workspace/r");
    return [{ stdout: text("out"), stderr: text("err"), exitCode: Number(text("rc")) }];
  });
}

function shellLines(dir: string, out: string, { i, time }: { i: number; time: number }, step: Step): string[] {
  const at = (path: string): string => quoted(join(dir, path));
  switch (step.kind) {
    case "write":
    case "bytes": {
      const bytes = step.kind === "write" ? [...new TextEncoder().encode(step.text)] : step.bytes;
      const octal = bytes.map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
      return [
        ...parentOf(dir, step.path),
        `[ -L ${at(step.path)} ] && rm -f ${at(step.path)}; printf '${octal}' > ${at(step.path)}`,
      ];
    }
    case "remove":
      return [`rm -rf ${at(step.path)}`];
    case "move":
      return [...parentOf(dir, step.to), `mv -T ${at(step.from)} ${at(step.to)} 2>/dev/null || true`];
    case "chmod":
      return [`chmod ${step.mode.toString(8)} ${at(step.path)}`];
    case "link":
      return [...parentOf(dir, step.path), `ln -sfn ${quoted(step.target)} ${at(step.path)}`];
    case "git": {
      const env = Object.entries(environmentOf(time)).map(([name, value]) => `${name}=${quoted(value)}`);
      const input = step.stdin === undefined ? "</dev/null" : `<<< ${quoted(step.stdin)}`;
      const files = ["out", "err"].map((name) => quoted(join(out, `${i}.${name}`)));
      const argv = step.argv.map((word) => quoted(word.replaceAll("/workspace/r", dir))).join(" ");
      return [
        `cd ${quoted(join(dir, step.cwd ?? ""))} 2>/dev/null || cd ${quoted(dir)}`,
        `${env.join(" ")} git ${argv} ${input} >${files[0]} 2>${files[1]}; echo $? > ${quoted(join(out, `${i}.rc`))}`,
      ];
    }
  }
}

function parentOf(dir: string, path: string): string[] {
  return path.includes("/") ? [`mkdir -p ${quoted(join(dir, path, ".."))}`] : [];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

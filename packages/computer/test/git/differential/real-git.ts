/** The machine's own git, given all situations in one shell script. */

import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { environmentOf, type Outcome, type Situation, type Step } from "./step.ts";

/** Runs situations, each in a directory of its own under `root`; the outcomes of their command lines. */
export function runRealGit(
  root: string,
  situations: readonly Situation[],
  tail: readonly string[],
): Map<Situation, Outcome[]> {
  const lines = ["export HOME=/nonexistent GIT_CONFIG_NOSYSTEM=1 LC_ALL=C TZ=UTC", "unset GIT_DIR GIT_WORK_TREE"];
  for (const [number, situation] of situations.entries()) {
    const dir = placeOf(root, number);
    mkdirSync(dir, { recursive: true });
    mkdirSync(outOf(root, number), { recursive: true });
    for (const [i, step] of stepsOf(situation, tail).entries())
      lines.push(...shellLines(dir, outOf(root, number), i, step));
  }
  const script = join(root, "script.sh");
  writeFileSync(script, `${lines.join("\n")}\n`);
  const { status, stderr } = spawnSync("bash", [script], { encoding: "utf8", maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`the script of situations failed: ${stderr}`);
  return new Map(
    situations.map((situation, number) => [
      situation,
      stepsOf(situation, tail).flatMap((step, i) =>
        step.kind === "git" ? [read(outOf(root, number), i, placeOf(root, number))] : [],
      ),
    ]),
  );
}

export function placeOf(root: string, number: number): string {
  return join(root, `s${number}`, "r");
}

function outOf(root: string, number: number): string {
  return join(root, `s${number}`, "out");
}

function stepsOf(situation: Situation, tail: readonly string[]): Step[] {
  return [...situation.steps, ...tail.map((line): Step => ({ kind: "git", argv: line.split(" ") }))];
}

function read(out: string, step: number, dir: string): Outcome {
  const text = (name: string): string =>
    readFileSync(join(out, `${step}.${name}`), "utf8").replaceAll(dir, "/workspace/r");
  return { stdout: text("out"), stderr: text("err"), exitCode: Number(text("rc")) };
}

function shellLines(dir: string, out: string, i: number, step: Step): string[] {
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
      const env = Object.entries(environmentOf(i)).map(([name, value]) => `${name}=${quoted(value)}`);
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

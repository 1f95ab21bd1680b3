/**
 * What is done in each place, in this order: `node operations.ts DIR NPM_PROJECT` prepares one for each line of stdin that names it, does it
 * at the next line, and answers with how long it took in milliseconds.
 */

import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { PACKAGES } from "./npm-project.ts";

const [directory = ".", npmProject = ""] = process.argv.slice(2);
const FILES = 1000;
const MIB = 1 << 20;

interface Operation {
  readonly title: string;
  /** How many times it does what its title says; a rate has MiB instead. */
  readonly times: number;
  readonly rate?: true;
  /** What is aimed at: how long it takes at most, the disk being 1; of a rate, how much of that of memory there is at least. */
  readonly aim?: number;
  /** Takes long, and is done in some rounds only. */
  readonly long?: true;
  /** Done before the clock starts. */
  readonly before?: () => void;
  readonly run: () => void;
}

const numbered = (action: (number: number) => void) => (): void => {
  for (let number = 0; number < FILES; number++) action(number);
};
const put = (path: string, bytes: Uint8Array): void => {
  const file = fs.openSync(path, "w");
  fs.writeSync(file, bytes);
  fs.closeSync(file);
};
const buffer = Buffer.alloc(MIB, "0123456789abcdef");
const get = (path: string): void => {
  const file = fs.openSync(path, "r");
  fs.readSync(file, buffer, 0, 4096, 0);
  fs.closeSync(file);
};
const program = (command: string, ...args: string[]): void => {
  execFileSync(command, args, { stdio: "ignore", env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" } });
};
const git = (...args: string[]): void =>
  program("git", "-C", "repo", "-c", "user.name=B", "-c", "user.email=b@example.org", ...args);
const small = Buffer.alloc(100, "x");
const larger = Buffer.alloc(200, "y");

export const OPERATIONS: Readonly<Record<string, Operation>> = {
  create: { title: "create, write 100 bytes, close", times: FILES, aim: 1, run: numbered((n) => put(`f${n}`, small)) },
  statCold: { title: "stat after a write", times: FILES, run: numbered((n) => fs.statSync(`f${n}`)) },
  stat: { title: "stat again", times: FILES, aim: 1.3, run: numbered((n) => fs.statSync(`f${n}`)) },
  read: { title: "open, read, close for the first time", times: FILES, aim: 4, run: numbered((n) => get(`f${n}`)) },
  readAgain: { title: "open, read, close again", times: FILES, aim: 1.5, run: numbered((n) => get(`f${n}`)) },
  overwrite: { title: "overwrite with 200 bytes", times: FILES, aim: 1, run: numbered((n) => put(`f${n}`, larger)) },
  rename: { title: "rename", times: FILES, aim: 6, run: numbered((n) => fs.renameSync(`f${n}`, `g${n}`)) },
  list: { title: "list 1,000 names after a change", times: 1, run: () => void fs.readdirSync(".") },
  listAgain: {
    title: "list 1,000 names ten times",
    times: 10,
    aim: 1.5,
    before: () => put("changed", small),
    run: () => {
      for (let n = 0; n < 10; n++) fs.readdirSync(".");
    },
  },
  unlink: { title: "unlink", times: FILES, aim: 1, run: numbered((n) => fs.unlinkSync(`g${n}`)) },
  mkdir: { title: "mkdir", times: FILES, aim: 1, run: numbered((n) => fs.mkdirSync(`d${n}`)) },
  rmdir: { title: "rmdir", times: FILES, aim: 1, run: numbered((n) => fs.rmdirSync(`d${n}`)) },
  write: {
    title: "write 64 MiB",
    times: 64,
    rate: true,
    aim: 0.25,
    run: () => {
      const file = fs.openSync("big", "w");
      for (let n = 0; n < 64; n++) fs.writeSync(file, buffer);
      fs.closeSync(file);
    },
  },
  readLarge: {
    title: "read 64 MiB that were written before",
    times: 64,
    rate: true,
    aim: 0.7,
    run: () => {
      const file = fs.openSync("big", "r");
      for (let n = 0; n < 64; n++) fs.readSync(file, buffer);
      fs.closeSync(file);
    },
  },
  change: {
    title: "write 4 KiB somewhere in 64 MiB",
    times: 500,
    run: () => {
      const file = fs.openSync("big", "r+");
      for (let n = 0; n < 500; n++) fs.writeSync(file, buffer, 0, 4096, ((n * 7919) % 16_000) * 4096);
      fs.closeSync(file);
    },
  },
  untar: {
    title: "untar 1,000 files",
    times: 1,
    aim: 1.2,
    before: () => {
      fs.mkdirSync("tree");
      for (let n = 0; n < FILES; n++) {
        if (n % 20 === 0) fs.mkdirSync(`tree/d${n / 20}`);
        put(`tree/d${Math.floor(n / 20)}/f${n}`, buffer.subarray(0, 500 + n));
      }
      program("tar", "-cf", "tree.tar", "tree");
      program("rm", "-rf", "tree");
    },
    run: () => program("tar", "-xf", "tree.tar"),
  },
  grep: { title: "grep -r over them", times: 1, run: () => program("sh", "-c", "grep -r nowhere tree || true") },
  find: { title: "find over them", times: 1, run: () => program("find", "tree", "-type", "f", "-size", "+1") },
  commitAll: {
    title: "git init, add and commit of 1,000 files",
    times: 1,
    run: () => {
      program("git", "init", "-q", "repo");
      program("cp", "-r", "tree", "repo/");
      git("add", ".");
      git("commit", "-qm", "all");
    },
  },
  commit: {
    title: "git commit of 100 changed files",
    times: 1,
    before: () => {
      for (let n = 0; n < 100; n++) put(`repo/tree/d${n >> 1}/f${(n >> 1) * 20 + (n & 1)}`, larger);
    },
    run: () => git("commit", "-qam", "hundred"),
  },
  status: { title: "git status", times: 1, run: () => git("status") },
  clone: { title: "git clone", times: 1, aim: 1.2, run: () => program("git", "clone", "-q", "repo", "copy") },
  sqlite: {
    title: "1,000 transactions of SQLite",
    times: 1,
    run: () => {
      const db = new DatabaseSync("db");
      db.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (n INTEGER)");
      const add = db.prepare("INSERT INTO t VALUES (?)");
      for (let n = 0; n < 1000; n++) add.run(n);
      db.close();
    },
  },
  remove: { title: "rm -rf of 2,000 files", times: 1, aim: 1.2, run: () => program("rm", "-rf", "tree", "copy") },
  install: {
    title: `npm install of ${PACKAGES} packages`,
    times: 1,
    aim: 1.2,
    long: true,
    before: () => fs.copyFileSync(`${npmProject}/package.json`, "package.json"),
    run: () => program("npm", "install", "--offline", "--no-audit", "--no-fund", "--cache", `${npmProject}/cache`),
  },
  removeModules: {
    title: "rm -rf node_modules",
    times: 1,
    aim: 1.2,
    long: true,
    run: () => program("rm", "-rf", "node_modules"),
  },
};

if (import.meta.main) {
  process.chdir(directory);
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  for (let line = await lines.next(); !line.done; line = await lines.next()) {
    const { before, run } = OPERATIONS[line.value]!;
    before?.();
    console.log("prepared");
    await lines.next();
    const start = performance.now();
    run();
    console.log(String(performance.now() - start));
  }
}

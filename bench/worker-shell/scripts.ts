/** What is measured: scripts that both shells run, and the files that they find. */

/** The part of a workspace that is used; both systems have it. */
export interface Shelled {
  readonly fs: {
    mkdir(path: string, options?: { recursive?: boolean }): Promise<unknown>;
    writeFile(path: string, content: string): Promise<void>;
  };
  readonly runtime: {
    exec(source: string, options: { encoding: "utf8"; output: false }): Promise<{ result(): Promise<ShellResult> }>;
  };
}

export interface ShellResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Script {
  readonly id: string;
  readonly title: string;
  readonly source: string;
  prepare(workspace: Shelled): Promise<void>;
}

const FOLDERS = 20;
const FILES = 100;
const MEGABYTE = 1024 * 1024;

/** 2,000 files of some 500 bytes, one in a hundred of which has the word that is searched for. */
async function tree({ fs }: Shelled): Promise<void> {
  for (let folder = 0; folder < FOLDERS; folder++) {
    await fs.mkdir(`/workspace/d${folder}`);
    for (let file = 0; file < FILES; file++) {
      const line = file === FILES / 2 ? "here is the needle\n" : "";
      await fs.writeFile(`/workspace/d${folder}/f${file}.txt`, `${"nothing to see in this line\n".repeat(18)}${line}`);
    }
  }
}

/** 5 MB of log lines. */
async function log({ fs }: Shelled): Promise<void> {
  let text = "";
  for (let line = 0; text.length < 5 * MEGABYTE; line++) {
    text += `${line} level-${(line * 7) % 5} host-${(line * 31) % 97} a line of a log that says what happened here\n`;
  }
  await fs.writeFile("/workspace/log", text);
}

const nothing = async (): Promise<void> => {};

/** In the order of the table. */
export const scripts: readonly Script[] = [
  { id: "true", title: "`true`", source: "true", prepare: nothing },
  {
    id: "grep",
    title: "`grep -r` of a word over 2,000 files",
    source: "grep -r needle /workspace | sort",
    prepare: tree,
  },
  {
    id: "pattern",
    title: "`grep -rE` of a pattern over them",
    source: "grep -rnE 'ne+dle$' /workspace | sort",
    prepare: tree,
  },
  {
    id: "loop",
    title: "a loop of 1,000 turns",
    source: 'for i in $(seq 1000); do if [ $((i % 3)) -eq 0 ]; then x="$x$i"; else echo "turn $i"; fi; done; echo $x',
    prepare: nothing,
  },
  {
    id: "pipeline",
    title: "a pipeline over a file of 5 MB",
    // The last step takes away the blanks before a count: the published shell has fewer of them than GNU's uniq.
    source:
      "grep 'level-3 host-[1-4]' log | sed 's/host/machine/' | cut -d' ' -f3 | sort | uniq -c | sort -rn | head -5 | sed 's/^ *//'",
    prepare: log,
  },
];

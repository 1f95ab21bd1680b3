import { Database, type DurableObjectStorageLike, SqlStore } from "@cloudflare/dofs";
import { openNodeStorage } from "@cloudflare/dofs/node";
import { expect, test } from "vitest";
import { clock, join, memoryStore, sha256 } from "../link.ts";
import { mkdir, tree, write } from "../tree.ts";

const DIRECTORIES = 440;

test("Y-05 a pull of 44,000 files that is left and gone on with loses nothing and re-sends nothing", {
  timeout: 1_800_000,
}, async () => {
  const storage: DurableObjectStorageLike = openNodeStorage();
  const open = (): SqlStore => SqlStore.open(new Database(storage), { sha256, now: clock() });
  const computer = memoryStore(clock(1_600_000_000_000));
  mkdir(open(), "/workspace");
  const first = await join(open(), computer);
  await first.driver.pushAll();
  for (let dir = 0; dir < DIRECTORIES; dir++) {
    mkdir(computer, `/workspace/${dir}`);
    for (let i = 0; i < 100; i++) write(computer, `/workspace/${dir}/${i}`, `file ${dir} ${i}`);
  }
  first.session.close();
  let entries = 0;
  for (let complete = false; !complete; ) {
    const { driver, session } = await join(open(), computer);
    let blocks = 0;
    let taken = 0;
    for await (const progress of driver.pull()) {
      taken = progress.entries;
      complete = progress.complete;
      if (++blocks === 7) break;
    }
    entries += taken;
    session.close();
  }
  // A directory comes when it is made and when its last file is.
  expect(entries).toBe(DIRECTORIES * 102);
  expect(tree(open())).toEqual(tree(computer));
});

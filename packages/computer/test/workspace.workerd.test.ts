import { env, runInDurableObject } from "cloudflare:test";
import type { DurableObjectStorageLike, SQLCursorLike } from "@cloudflare/dofs";
import { describe, expect, test } from "vitest";
import { type Computer, ComputerError, Workspace, type WorkspaceOptions } from "../src/index.ts";
import { MemoryComputer } from "../src/testing/index.ts";

async function inObject(body: (storage: DurableObjectStorage) => Promise<void>): Promise<void> {
  await runInDurableObject(env.BARE.get(env.BARE.newUniqueId()), (_object, { storage }) => body(storage));
}

/** The rows that went through a storage. */
class CountedStorage implements DurableObjectStorageLike {
  readonly #cursors: SQLCursorLike[] = [];
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  get sql(): DurableObjectStorageLike["sql"] {
    return {
      exec: (query, ...bindings) => {
        const cursor = this.#storage.sql.exec(query, ...bindings);
        this.#cursors.push(cursor);
        return cursor;
      },
    };
  }

  transactionSync<T>(closure: () => T): T {
    return this.#storage.transactionSync(closure);
  }

  get rows(): { read: number; written: number } {
    const sum = (key: "rowsRead" | "rowsWritten"): number =>
      this.#cursors.reduce((total, cursor) => total + (cursor[key] ?? 0), 0);
    return { read: sum("rowsRead"), written: sum("rowsWritten") };
  }
}

function refusal(make: () => unknown): ComputerError {
  try {
    make();
  } catch (error) {
    if (error instanceof ComputerError) return error;
    throw error;
  }
  throw new Error("it was not refused");
}

describe("a workspace", () => {
  test("takes ctx.storage as it is, and works with files only", async () => {
    await inObject(async (storage) => {
      const workspace = new Workspace({ storage });
      await workspace.fs.writeFile("/a", "a");
      expect(await workspace.fs.readFile("/a", "utf8")).toBe("a");
      expect(workspace.runtime.backends()).toEqual([]);
      await workspace.ready();
      await expect(workspace.runtime.exec("ls")).rejects.toMatchObject({
        code: "EOPTION",
        message: expect.stringContaining("configure one"),
      });
      await workspace.close();
    });
  });

  test("opened on existing files it writes no row and reads few", async () => {
    await inObject(async (storage) => {
      const first = new Workspace({ storage, backends: [new MemoryComputer()] });
      await first.fs.mkdir("/workspace");
      for (let index = 0; index < 100; index++) await first.fs.writeFile(`/workspace/${index}`, `${index}`);
      const counted = new CountedStorage(storage);
      const again = new Workspace({ storage: counted, backends: [new MemoryComputer()] });
      again.stub();
      expect(counted.rows.written).toBe(0);
      expect(counted.rows.read).toBe(0);
      expect(await again.fs.readFile("/workspace/42", "utf8")).toBe("42");
      expect(counted.rows).toEqual({ read: 11, written: 0 });
    });
  });

  test("connects a computer when it is first used, once, and again after it is lost", async () => {
    await inObject(async (storage) => {
      const { computer, connects, lose } = countedComputer();
      const workspace = new Workspace({ storage, backends: [computer] });
      expect(connects()).toBe(0);
      await Promise.all([workspace.runtime.exec("x"), workspace.runtime.exec("x"), workspace.ready()]);
      expect(connects()).toBe(1);
      await lose();
      await workspace.ready({ all: true });
      expect(connects()).toBe(2);
    });
  });

  test("a computer that could not be connected is tried again at the next use", async () => {
    await inObject(async (storage) => {
      const { computer, connects, refuse } = countedComputer();
      const workspace = new Workspace({ storage, backends: [computer] });
      refuse(true);
      await expect(workspace.ready("counted")).rejects.toThrow("not today");
      refuse(false);
      await workspace.ready("counted");
      expect(connects()).toBe(2);
    });
  });

  test("what is wrong with its options is named before anything is touched", async () => {
    await inObject(async (storage) => {
      const computer = new MemoryComputer({ id: "twice" });
      expect(refusal(() => new Workspace({ storage, backends: [computer, computer] })).message).toMatch(/"twice"/);
      const odd = (options: object): string => refusal(() => new Workspace({ storage, ...options })).message;
      expect(odd({ backend: [] })).toBe("EOPTION: Workspace has no option backend. Did you mean backends?");
      expect(odd({ output: { maxLines: 0 } })).toMatch(/^EOPTION: The option output/);
      expect(odd({ observer: {} })).toMatch(/observer .*span/);
      expect(refusal(() => new Workspace({} as WorkspaceOptions)).message).toMatch(/ctx\.storage/);
      const tables = storage.sql.exec("SELECT name FROM sqlite_schema WHERE name LIKE 'vfs%'").toArray();
      expect(tables).toEqual([]);
    });
  });

  test("the second computer runs where it is named, and only a callable one takes input", async () => {
    await inObject(async (storage) => {
      const plain = new MemoryComputer({ id: "plain" });
      const callable = new MemoryComputer({
        id: "callable",
        callable: true,
        description: "doubles",
        commands: { double: ({ input }) => ({ value: Number(input) * 2 }) },
      });
      const workspace = new Workspace({ storage, backends: [plain, callable] });
      expect(workspace.runtime.backends()).toEqual([
        { id: "plain", protocol: "command", callable: false },
        { id: "callable", protocol: "command", callable: true, description: "doubles" },
      ]);
      await expect(workspace.runtime.exec("double", { input: 21 })).rejects.toMatchObject({
        code: "EOPTION",
        message: expect.stringContaining("callable"),
      });
      using handle = await workspace.runtime.exec("double", { input: 21, backend: "callable" });
      expect(handle.backend).toBe("callable");
      expect(await handle.result()).toMatchObject({ status: "completed", value: 42 });
    });
  });

  test("a computer with the workspace's own files has nothing to pull", async () => {
    await inObject(async (storage) => {
      const workspace = new Workspace({ storage, backends: [new MemoryComputer()] });
      const pull = workspace.pull()[Symbol.asyncIterator]();
      await expect(pull.next()).rejects.toMatchObject({ code: "EOPTION" });
    });
  });
});

function countedComputer(): {
  computer: Computer;
  connects(): number;
  lose(): Promise<void>;
  refuse(on: boolean): void;
} {
  let count = 0;
  let refusing = false;
  let end = (): void => {};
  const inner = new MemoryComputer({ otherwise: () => 0 });
  const computer: Computer = {
    id: "counted",
    type: "test",
    protocol: "command",
    async connect(host) {
      count += 1;
      if (refusing) throw new Error("not today");
      const session = await inner.connect(host);
      const closed = new Promise<void>((resolve) => {
        end = resolve;
      });
      return {
        exec: (input) => session.exec(input),
        getExec: (input) => session.getExec(input),
        killExec: (input) => session.killExec(input),
        disposeExec: (input) => session.disposeExec(input),
        closed,
      };
    },
  };
  return {
    computer,
    connects: () => count,
    refuse: (on) => {
      refusing = on;
    },
    async lose() {
      end();
      await Promise.resolve();
    },
  };
}

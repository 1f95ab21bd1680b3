/** Symlinks: followed by every operation but those on the link itself. */

import { expect } from "vitest";
import { bytesOf, fails, names, type On, streamOf } from "./context.ts";

export function testLinks(on: On): void {
  on("F-01 writing through a link writes its target; the link stays", async (fs) => {
    await fs.writeFile("/w/t", "old");
    await fs.symlink("t", "/w/l");
    await fs.writeFile("/w/l", "new!");
    expect(await fs.readFile("/w/t", "utf8")).toBe("new!");
    expect(await fs.readFile("/w/l", "utf8")).toBe("new!");
    expect(await fs.readlink("/w/l")).toBe("t");
    expect(await fs.lstat("/w/l")).toMatchObject({ name: "l", size: 1, isSymbolicLink: true, isFile: false });
    expect(await fs.stat("/w/l")).toMatchObject({ name: "l", size: 4, isSymbolicLink: false, isFile: true });
    expect((await fs.stat("/w/l")).inode).toBe((await fs.stat("/w/t")).inode);
  });

  on("F-02 writing below a link to a directory", async (fs) => {
    await fs.mkdir("/w/real");
    await fs.symlink("real", "/w/alias");
    await fs.writeFile("/w/alias/string", "s");
    await fs.writeFile("/w/alias/bytes", new Uint8Array([98]));
    await fs.writeFile("/w/alias/stream", streamOf("st", "ream"));
    expect(await names(fs, "/w/real")).toEqual(["bytes", "stream", "string"]);
    expect(await fs.readFile("/w/real/string", "utf8")).toBe("s");
    expect(await fs.readFile("/w/real/bytes", "utf8")).toBe("b");
    expect(await fs.readFile("/w/real/stream", "utf8")).toBe("stream");
  });

  on(
    "F-02 the same with an absolute target",
    async (fs) => {
      await fs.mkdir("/w/real");
      await fs.symlink("/w/real", "/w/alias");
      await fs.writeFile("/w/alias/f", "x");
      await fs.writeFile("/w/alias/g", streamOf("y"));
      expect(await names(fs, "/w/real")).toEqual(["f", "g"]);
      expect(await fs.readlink("/w/alias")).toBe("/w/real");
    },
    ["absolute links"],
  );

  on("F-03 a relative target is resolved from the link's directory", async (fs) => {
    await fs.mkdir("/w/a/b", { recursive: true });
    await fs.mkdir("/w/a/c");
    await fs.writeFile("/w/a/c/y", "here");
    await fs.symlink("../c/y", "/w/a/b/x");
    expect(await fs.readFile("/w/a/b/x", "utf8")).toBe("here");
    await fs.symlink("a/b", "/w/ab");
    expect(await fs.readFile("/w/ab/x", "utf8")).toBe("here");
    await fs.symlink("./../w/./ab//x", "/w/odd");
    expect(await fs.readFile("/w/odd", "utf8")).toBe("here");
  });

  on("F-03 .. in a target goes up from where its links led", async (fs) => {
    await fs.mkdir("/w/deep/down", { recursive: true });
    await fs.writeFile("/w/deep/f", "right");
    await fs.writeFile("/w/f", "wrong");
    await fs.symlink("deep/down", "/w/d");
    await fs.symlink("d/../f", "/w/l");
    expect(await fs.readFile("/w/l", "utf8")).toBe("right");
  });

  on("F-03 a dangling link: stat and read are ENOENT, writing makes the target", async (fs) => {
    await fs.mkdir("/w/d");
    await fs.symlink("d/target", "/w/l");
    await fails(fs.stat("/w/l"), "ENOENT");
    await fails(fs.readFile("/w/l"), "ENOENT");
    await fails(fs.chmod("/w/l", 0o600), "ENOENT");
    expect(await fs.exists("/w/l")).toBe(false);
    expect(await fs.statOrNull("/w/l")).toBeNull();
    expect((await fs.lstatOrNull("/w/l"))?.isSymbolicLink).toBe(true);
    await fs.writeFile("/w/l", "made");
    expect(await fs.readFile("/w/d/target", "utf8")).toBe("made");
    expect(await fs.readlink("/w/l")).toBe("d/target");
    await fs.rm("/w/d/target");
    await fs.symlink("l", "/w/l2");
    await fs.writeFile("/w/l2", streamOf("again"));
    expect(await fs.readFile("/w/d/target", "utf8")).toBe("again");
  });

  on("F-03 a dangling link whose target has no parent cannot be written through", async (fs) => {
    await fs.symlink("none/target", "/w/l");
    await fails(fs.writeFile("/w/l", "x"), "ENOENT");
    await fails(fs.writeFile("/w/l", streamOf("x")), "ENOENT");
    expect(await names(fs, "/w")).toEqual(["l"]);
  });

  on("40 links are followed, a loop and more are ELOOP", async (fs) => {
    await fs.writeFile("/w/l0", "end");
    for (let i = 1; i <= 41; i++) await fs.symlink(`l${i - 1}`, `/w/l${i}`);
    expect(await fs.readFile("/w/l40", "utf8")).toBe("end");
    await fails(fs.readFile("/w/l41"), "ELOOP");
    await fails(fs.stat("/w/l41"), "ELOOP");
    await fails(fs.writeFile("/w/l41", "x"), "ELOOP");
    await fs.symlink("self", "/w/self");
    await fails(fs.stat("/w/self"), "ELOOP");
    await fails(fs.stat("/w/self/x"), "ELOOP");
    await fails(fs.writeFile("/w/self", "x"), "ELOOP");
    await fails(fs.readdir("/w/self"), "ELOOP");
    expect((await fs.lstat("/w/self")).isSymbolicLink).toBe(true);
    expect(await fs.exists("/w/self")).toBe(false);
  });

  on("readlink gives the text; anything but a link is EINVAL", async (fs) => {
    const target = "../some where/é/./x//";
    await fs.symlink(target, "/w/l");
    expect(await fs.readlink("/w/l")).toBe(target);
    expect((await fs.lstat("/w/l")).size).toBe(new TextEncoder().encode(target).length);
    await fs.writeFile("/w/f", "");
    await fails(fs.readlink("/w/f"), "EINVAL");
    await fails(fs.readlink("/w"), "EINVAL");
    await fails(fs.readlink("/w/none"), "ENOENT");
  });

  on("symlink refuses a name that is taken, and an empty or overlong target", async (fs) => {
    await fs.writeFile("/w/f", "");
    await fs.symlink("none", "/w/dangling");
    await fails(fs.symlink("t", "/w/f"), "EEXIST");
    await fails(fs.symlink("t", "/w"), "EEXIST");
    await fails(fs.symlink("t", "/w/dangling"), "EEXIST");
    await fails(fs.symlink("", "/w/e"), "ENOENT");
    await fails(fs.symlink("x".repeat(4096), "/w/e"), "ENAMETOOLONG");
    await fs.symlink(`${"x/".repeat(2047)}x`, "/w/longest");
    expect((await fs.lstat("/w/longest")).size).toBe(4095);
  });

  on("F-08 removing a link leaves what it leads to", async (fs) => {
    await fs.mkdir("/w/d");
    await fs.writeFile("/w/d/f", "kept");
    await fs.symlink("d", "/w/k");
    await fs.rm("/w/k");
    expect(await fs.lstatOrNull("/w/k")).toBeNull();
    await fs.symlink("d", "/w/k");
    await fs.rm("/w/k", { recursive: true });
    expect(await fs.lstatOrNull("/w/k")).toBeNull();
    expect(await fs.readFile("/w/d/f", "utf8")).toBe("kept");
    await fs.symlink("d", "/w/k");
    await fails(fs.rm("/w/k/"), "ENOTDIR");
    expect(await fs.readFile("/w/d/f", "utf8")).toBe("kept");
  });

  on("removing a tree removes the links in it, not what they lead to", async (fs) => {
    await fs.mkdir("/w/keep");
    await fs.writeFile("/w/keep/f", "kept");
    await fs.mkdir("/w/tree");
    await fs.symlink("../keep", "/w/tree/l");
    await fs.rm("/w/tree", { recursive: true });
    expect(await fs.readFile("/w/keep/f", "utf8")).toBe("kept");
  });

  on("rename moves a link itself, and a link is replaced itself", async (fs) => {
    await fs.writeFile("/w/t", "target");
    await fs.symlink("t", "/w/l");
    await fs.rename("/w/l", "/w/m");
    expect(await fs.readlink("/w/m")).toBe("t");
    await fs.writeFile("/w/n", "new");
    await fs.rename("/w/n", "/w/m");
    expect((await fs.lstat("/w/m")).isFile).toBe(true);
    expect(await fs.readFile("/w/t", "utf8")).toBe("target");
  });

  on("chmod goes through a link", async (fs) => {
    await fs.writeFile("/w/t", "");
    await fs.symlink("t", "/w/l");
    await fs.chmod("/w/l", 0o640);
    expect((await fs.stat("/w/t")).mode).toBe(0o640);
    expect((await fs.lstat("/w/l")).mode).toBe(0o777);
  });

  on("reading through a link as a stream", async (fs) => {
    await fs.writeFile("/w/t", "stream");
    await fs.symlink("t", "/w/l");
    expect(new TextDecoder().decode(await bytesOf(await fs.readFile("/w/l")))).toBe("stream");
  });
}

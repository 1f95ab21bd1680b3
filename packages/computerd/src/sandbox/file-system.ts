/** The file system of a sandbox, as bubblewrap's arguments: what of the machine a command may see, and what it gets for its own. */

import { readFileSync, readlinkSync } from "node:fs";

export interface FileSystemOptions {
  /** The directory on this machine that is seen at `/workspace`. */
  readonly mountPoint: string;
  /** Directories that are seen read-only at the same path. */
  readonly tools: readonly string[];
  /** Whether the machine's network is seen, for which names must be resolved. */
  readonly network: boolean;
}

export interface FileSystemPlan {
  readonly args: readonly string[];
  /** Contents that the arguments name by descriptor: the first one is `firstDescriptor`, and so on. */
  readonly contents: readonly string[];
}

/** The home directory of a sandbox's commands. */
export const HOME = "/home/computer";

const SYSTEM = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];

// Named one by one: the rest of /etc holds the machine's own accounts, keys and registry tokens, and a command has root's user id.
const CONFIGURATION = [
  "/etc/ImageMagick-6",
  "/etc/alternatives",
  "/etc/bash.bashrc",
  "/etc/ca-certificates",
  "/etc/ca-certificates.conf",
  "/etc/crypto-policies",
  "/etc/fonts",
  "/etc/ghostscript",
  "/etc/groff",
  "/etc/inputrc",
  "/etc/java-11-openjdk",
  "/etc/java-17-openjdk",
  "/etc/java-21-openjdk",
  "/etc/ld.so.cache",
  "/etc/ld.so.conf",
  "/etc/ld.so.conf.d",
  "/etc/localtime",
  "/etc/magic",
  "/etc/mime.types",
  "/etc/os-release",
  "/etc/papersize",
  "/etc/perl",
  "/etc/pki/ca-trust",
  "/etc/pki/tls/certs",
  "/etc/protocols",
  "/etc/python3",
  "/etc/python3.11",
  "/etc/python3.12",
  "/etc/python3.13",
  "/etc/services",
  "/etc/ssl/certs",
  "/etc/ssl/openssl.cnf",
  "/etc/terminfo",
  "/etc/texmf",
  "/etc/timezone",
  "/var/cache/fontconfig",
  "/var/lib/ghostscript",
  "/var/lib/texmf",
];

const FILES: Readonly<Record<string, string>> = {
  "/etc/passwd": `root:x:0:0:computer:${HOME}:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n`,
  "/etc/group": "root:x:0:\nnogroup:x:65534:\n",
  "/etc/hosts": "127.0.0.1 localhost computer\n::1 localhost computer\n",
  "/etc/hostname": "computer\n",
  "/etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
};

/** Lays out a sandbox's file system. */
export function planFileSystem(options: FileSystemOptions, firstDescriptor: number): FileSystemPlan {
  const files = { ...FILES, ...(options.network ? { "/etc/resolv.conf": readIfThere("/etc/resolv.conf") } : {}) };
  const args = ["--tmpfs", "/", "--ro-bind", "/usr", "/usr"];
  // Named, because the parents that bubblewrap makes by itself are closed to all but root.
  for (const path of ["/etc", "/etc/pki", "/etc/pki/tls", "/etc/ssl", "/var", "/var/cache", "/var/lib"])
    args.push("--dir", path);
  for (const path of SYSTEM) {
    const target = linkTarget(path);
    if (target === undefined) args.push("--ro-bind-try", path, path);
    else args.push("--symlink", target, path);
  }
  for (const path of CONFIGURATION) args.push("--ro-bind-try", path, path);
  for (const [index, path] of Object.keys(files).entries()) {
    args.push("--perms", "0644", "--ro-bind-data", String(firstDescriptor + index), path);
  }
  args.push("--symlink", "/proc/self/mounts", "/etc/mtab", "--proc", "/proc", "--dev", "/dev");
  args.push("--perms", "1777", "--tmpfs", "/dev/shm");
  for (const path of ["/tmp", "/var/tmp"]) args.push("--perms", "1777", "--tmpfs", path);
  for (const path of ["/run", "/home", "/root"]) args.push("--tmpfs", path);
  args.push("--symlink", "/run", "/var/run", "--dir", HOME);
  for (const path of options.tools) args.push("--ro-bind", path, path);
  // Last, so that the layout above can still be made.
  args.push("--bind", options.mountPoint, "/workspace", "--remount-ro", "/");
  return { args, contents: Object.values(files) };
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

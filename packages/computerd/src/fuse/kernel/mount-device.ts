/** Hands an open `/dev/fuse` to `mount(8)`, which needs no library for it. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { ComputerError } from "@cloudflare/computer-rpc";

/** The descriptor that the child finds the device at. */
const DEVICE = 3;

/** Mounts; `EUNAVAILABLE` with what mount says where it does not. The kernel then asks for a handshake. */
export async function mountDevice(device: number, mountPoint: string, name: string): Promise<void> {
  const user = process.getuid?.() ?? 0;
  const options = [
    `fd=${DEVICE}`,
    "rootmode=40000",
    `user_id=${user}`,
    `group_id=${process.getgid?.() ?? 0}`,
    "default_permissions",
    "allow_other",
    "nodev",
  ];
  const source = name.replaceAll(",", "_");
  const mount = spawn("mount", ["-i", "-t", "fuse", "-o", options.join(","), source, mountPoint], {
    cwd: "/",
    stdio: ["ignore", "ignore", "pipe", device],
  });
  const said = mount.stderr === null ? "" : text(mount.stderr);
  const [code] = await once(mount, "close").catch((cause: unknown) => {
    throw new ComputerError("EUNAVAILABLE", "FUSE_MOUNT=fuse needs the program 'mount', which cannot be run.", {
      cause,
    });
  });
  if (code === 0) return;
  const advice = user === 0 ? "" : " Only root can mount so; another user can with FUSE_DRIVER=fuse-native.";
  throw new ComputerError("EUNAVAILABLE", `${mountPoint} cannot be mounted: ${(await said).trim()}.${advice}`);
}

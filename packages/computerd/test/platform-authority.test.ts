import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { platformAuthority } from "../src/egress/platform-authority.ts";

test("the platform's authority is told beside the system's once it is there, and anew when it changes", () => {
  const folder = mkdtempSync(join(tmpdir(), "authority-"));
  const [authority, system] = [join(folder, "platform.crt"), join(folder, "system.crt")];
  writeFileSync(system, "of the system");
  const env = platformAuthority(authority, system);
  expect(env()).toEqual({});
  writeFileSync(authority, "of the platform");
  const first = env();
  expect(first.NODE_EXTRA_CA_CERTS).toBe(authority);
  expect(readFileSync(first.CURL_CA_BUNDLE!, "utf8")).toBe("of the system\nof the platform");
  expect(env()).toBe(first);
  writeFileSync(authority, "another");
  expect(readFileSync(env().SSL_CERT_FILE!, "utf8")).toBe("of the system\nanother");
  for (const path of [first.CURL_CA_BUNDLE!, env().SSL_CERT_FILE!]) rmSync(dirname(path), { recursive: true });
  rmSync(folder, { recursive: true });
});

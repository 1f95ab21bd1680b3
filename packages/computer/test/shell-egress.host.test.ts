import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import curl from "../src/shell/curl.ts";
import { withShell } from "./shell-workspace.ts";

/** A server of this machine, which answers 404 to names that it does not know. */
const request = (): string => `curl -s -o body -w '%{http_code}\\n' ${env.CONTAINER_YARD}/nobody`;

test("a direct way out reaches a server", () =>
  withShell(
    async ({ sh }) => {
      expect(await sh(request())).toMatchObject({ code: 0, stdout: "404\n", stderr: "" });
    },
    { commands: [curl], egress: { mode: "direct" } },
  ));

test("without one the same server is not reached", () =>
  withShell(
    async ({ sh }) => {
      const { code, stdout } = await sh(request());
      expect(code).not.toBe(0);
      expect(stdout).not.toContain("404");
    },
    { commands: [curl] },
  ));

/** A user's Worker: files in an object, and a command over them. */

import { DurableObject } from "cloudflare:workers";
import { type ComputerErrorCode, getWorkspace, isFsError, withWorkspace } from "@cloudflare/computer";
import { MemoryComputer } from "@cloudflare/computer/testing";
import { entries } from "./entries.ts";

type Env = { AGENT: DurableObjectNamespace<Agent> };

export class Agent extends withWorkspace(DurableObject<Env>, ({ ctx }) => ({
  storage: ctx.storage,
  backends: [
    new MemoryComputer({
      commands: { print: async ({ fs, args, stdout }) => stdout(await fs.readFile(args[0] ?? "", "utf8")) },
    }),
  ],
})) {}

export default {
  async fetch(_request: Request, env: Env): Promise<Response> {
    if (entries.some((entry) => Object.keys(entry).length === 0)) throw new Error("an entry point is empty");
    using workspace = getWorkspace(env.AGENT.getByName("alice"));
    await workspace.fs.mkdir("/workspace", { recursive: true });
    await workspace.fs.writeFile("/workspace/note", "kept");
    const text: string = await workspace.fs.readFile("/workspace/note", "utf8");
    using run = await workspace.runtime.exec`print ${"/workspace/note"}`;
    const { stdout, exitCode } = await run.result();
    const refused = await workspace.fs.stat("/nowhere").catch((error: Error & { code: ComputerErrorCode }) => ({
      code: error.code,
      isFsError: isFsError(error),
    }));
    return Response.json({ text, stdout, exitCode, refused });
  },
} satisfies ExportedHandler<Env>;

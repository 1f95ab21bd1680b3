/** A Durable Object of the tests whose shell runs in a second Worker, as a user writes one: our shell with a command of its own. */

import { DurableObject } from "cloudflare:workers";
import {
  SHELL_CORE_MODULES,
  WorkerShellBackend,
  type WorkerShellRuntime,
  type WorkspaceEgressPolicy,
} from "../src/backends/worker-shell/index.ts";
import { type WithWorkspaceCtor, withWorkspace } from "../src/index.ts";

const SHELL = `import { ShellWorker } from "./main.js";
  export default class extends ShellWorker {
    extraCommands(workspace) {
      const shout = async (args, { stdin }) => {
        const text = args.length === 0 ? stdin : await workspace.fs.readFile(args[0], "utf8");
        return { stdout: text.toUpperCase(), stderr: "", exitCode: 0 };
      };
      return [{ name: "shout", execute: shout }];
    }
  }`;

class Bare extends DurableObject<Cloudflare.Env> {
  /** What the backend has told of itself, by connection. */
  readonly connections: { egress: WorkspaceEgressPolicy }[] = [];

  /** The second Worker, which reaches this object through its binding `HOST`. */
  ownShell(options: { egress: WorkspaceEgressPolicy }): WorkerShellRuntime {
    this.connections.push(options);
    const { exports, id } = this.ctx;
    const HOST = exports.WorkspaceServiceProxy({ props: { binding: "OWN_SHELL", id: id.toString() } });
    const worker = this.env.LOADER.get(`own-shell-${id}`, () => ({
      compatibilityDate: "2026-10-01",
      compatibilityFlags: ["nodejs_compat"],
      mainModule: "shell.js",
      modules: { ...SHELL_CORE_MODULES, "shell.js": { js: SHELL } },
      env: { HOST },
      globalOutbound: null,
    }));
    return worker.getEntrypoint() as never as WorkerShellRuntime;
  }
}

const Base: WithWorkspaceCtor<typeof Bare> = withWorkspace(Bare, (self) => ({
  storage: self.ctx.storage,
  backends: [
    new WorkerShellBackend({
      egress: { mode: "direct" },
      source: { type: "external-runtime", connect: (options) => self.ownShell(options) },
    }),
  ],
}));

export class OwnShellObject extends Base {}

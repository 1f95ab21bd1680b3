/** In the isolate: the entrypoint that the host calls, which runs the script and says how it ended. */

export const MAIN_SOURCE: string = `
import { RpcTarget, WorkerEntrypoint } from "cloudflare:workers";
import * as link from "./link.js";
import { install } from "./globals.js";

/** What the host calls back on. */
class Ear extends RpcTarget {
  #end;
  constructor(end) {
    super();
    this.#end = end;
  }
  end() {
    this.#end();
  }
  changed(rev) {
    link.changed(rev);
  }
}

export default class Script extends WorkerEntrypoint {
  async run(host, init) {
    link.attach(host, init.limits);
    let end;
    const ended = new Promise((resolve) => { end = () => resolve({ ended: true }); });
    host.begin(new Ear(end));
    install(init);
    const left = link.left.then(async (code) => ({ code }));
    const outcome = await Promise.race([whole(init), left, ended]);
    if (outcome.ended !== true) await Promise.race([link.drained(), ended]);
    return { ...outcome, started: link.started };
  }
}

async function whole(init) {
  try {
    const { default: main } = await import(init.entry);
    const value = typeof main === "function" ? await main(init.input === undefined ? undefined : JSON.parse(init.input)) : main;
    const result = value === undefined ? undefined : link.toJson(value, "result");
    // A rejection that nobody handles is told of in the next turn.
    await new Promise((resolve) => setTimeout(resolve, 0));
    return { code: Number(globalThis.process?.exitCode ?? 0), result };
  } catch (error) {
    if (error instanceof link.Exit) return { code: await link.left };
    link.uncaught(error);
    return { code: await link.left };
  }
}
`;

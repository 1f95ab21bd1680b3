/** The Worker behind the workerd tests. */

import { DurableObject } from "cloudflare:workers";

export { WorkspaceProxy, WorkspaceServiceProxy } from "../../packages/computer/src/index.ts";
export { ContainedObject, SleepyObject } from "../../packages/computer/test/contained-object.ts";
export { OwnShellObject } from "../../packages/computer/test/own-shell-object.ts";
export { WorkspaceObject } from "../../packages/computer/test/workspace-object.ts";

/** A Durable Object with nothing in it but its storage. */
export class BareObject extends DurableObject {}

export default {
  fetch(): Response {
    return new Response("the test worker");
  },
};

/** A tool of the example's own, beside those of the workspace: what a folder holds becomes a commit in a repository that can be cloned. */

import type { getWorkspace } from "@cloudflare/computer";
import { tool } from "ai";
import { z } from "zod";

const AUTHOR = { name: "Agent", email: "agent@example.org" };
const BRANCH = "main";
/** Seconds that the address can be cloned from. */
const CLONE_TTL = 24 * 60 * 60;

export interface Published {
  readonly name: string;
  readonly commit: string;
  /** Where it can be cloned from, with a token for reading in it. */
  readonly clone: string;
}

type Workspace = ReturnType<typeof getWorkspace>;

/** The tool `publish_repository`; `done` hears of each repository it has published. */
export function publishRepository(workspace: Workspace, done: (published: Published) => void) {
  return tool({
    description:
      "Commits everything in a folder of the workspace that its .gitignore does not name, and publishes it as a git repository.",
    inputSchema: z.object({
      folder: z.string().describe("such as /workspace/site"),
      name: z.string().describe("of the repository: letters, digits and dashes"),
      message: z.string().describe("of the commit"),
    }),
    execute: async ({ folder, name, message }): Promise<Published> => {
      const commit = await commitAll(workspace, folder, message);
      const remote = await writableRemote(workspace, name);
      const { ok, error } = await workspace.git.push({ dir: folder, url: remote, ref: BRANCH, force: true });
      if (!ok) throw new Error(`the registry did not take ${name}: ${error}`);
      const published = { name, commit, clone: await cloneAddress(workspace, name) };
      done(published);
      return published;
    },
  });
}

async function commitAll({ fs, git }: Workspace, dir: string, message: string): Promise<string> {
  if (!(await fs.exists(`${dir}/.git`))) await git.init({ dir, defaultBranch: BRANCH });
  await git.add({ dir, paths: ["."], all: true });
  const { oid } = await git.commit({ dir, message, author: AUTHOR, committer: AUTHOR });
  return oid;
}

/** Of a new repository, or of the one that an earlier turn has made. */
async function writableRemote({ artifacts }: Workspace, name: string): Promise<string> {
  const known = (await artifacts.list()).some((repo) => repo.name === name);
  if (!known) {
    const { remote, token } = await artifacts.create(name, { setDefaultBranch: BRANCH });
    return withToken(remote, token);
  }
  const { remote } = await artifacts.get(name);
  const { plaintext } = await artifacts.createToken(name, "write", 300);
  return withToken(remote, plaintext);
}

async function cloneAddress({ artifacts }: Workspace, name: string): Promise<string> {
  const { remote } = await artifacts.get(name);
  const { plaintext } = await artifacts.createToken(name, "read", CLONE_TTL);
  return withToken(remote, plaintext);
}

function withToken(remote: string, token: string): string {
  const url = new URL(remote);
  url.username = "x";
  // What comes after the secret only says when it expires.
  url.password = token.split("?", 1)[0] ?? "";
  return url.href;
}

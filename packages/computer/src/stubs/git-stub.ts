/** The git of a workspace, for another isolate. */

import { RpcTarget } from "cloudflare:workers";
import type { GitClient } from "../git/client/git-client.ts";
import { toldGitError } from "../git/client/told-error.ts";

/** Passes each call on; errors are told so that the client can rebuild them. */
export class WorkspaceGitStub extends RpcTarget implements GitClient {
  readonly #git: GitClient;

  constructor(ws: { readonly git: GitClient }) {
    super();
    this.#git = ws.git;
  }

  async clone(options: Parameters<GitClient["clone"]>[0]): Promise<Awaited<ReturnType<GitClient["clone"]>>> {
    return this.#call((git) => git.clone(options));
  }

  async diff(options?: Parameters<GitClient["diff"]>[0]): Promise<Awaited<ReturnType<GitClient["diff"]>>> {
    return this.#call((git) => git.diff(options));
  }

  async diffSummary(
    options?: Parameters<GitClient["diffSummary"]>[0],
  ): Promise<Awaited<ReturnType<GitClient["diffSummary"]>>> {
    return this.#call((git) => git.diffSummary(options));
  }

  async init(options?: Parameters<GitClient["init"]>[0]): Promise<Awaited<ReturnType<GitClient["init"]>>> {
    return this.#call((git) => git.init(options));
  }

  async status(options?: Parameters<GitClient["status"]>[0]): Promise<Awaited<ReturnType<GitClient["status"]>>> {
    return this.#call((git) => git.status(options));
  }

  async add(options: Parameters<GitClient["add"]>[0]): Promise<Awaited<ReturnType<GitClient["add"]>>> {
    return this.#call((git) => git.add(options));
  }

  async rm(options: Parameters<GitClient["rm"]>[0]): Promise<Awaited<ReturnType<GitClient["rm"]>>> {
    return this.#call((git) => git.rm(options));
  }

  async commit(options: Parameters<GitClient["commit"]>[0]): Promise<Awaited<ReturnType<GitClient["commit"]>>> {
    return this.#call((git) => git.commit(options));
  }

  async log(options?: Parameters<GitClient["log"]>[0]): Promise<Awaited<ReturnType<GitClient["log"]>>> {
    return this.#call((git) => git.log(options));
  }

  async show(options: Parameters<GitClient["show"]>[0]): Promise<Awaited<ReturnType<GitClient["show"]>>> {
    return this.#call((git) => git.show(options));
  }

  async revParse(options: Parameters<GitClient["revParse"]>[0]): Promise<Awaited<ReturnType<GitClient["revParse"]>>> {
    return this.#call((git) => git.revParse(options));
  }

  async repoRoot(options?: Parameters<GitClient["repoRoot"]>[0]): Promise<Awaited<ReturnType<GitClient["repoRoot"]>>> {
    return this.#call((git) => git.repoRoot(options));
  }

  async currentBranch(
    options?: Parameters<GitClient["currentBranch"]>[0],
  ): Promise<Awaited<ReturnType<GitClient["currentBranch"]>>> {
    return this.#call((git) => git.currentBranch(options));
  }

  async lsFiles(options?: Parameters<GitClient["lsFiles"]>[0]): Promise<Awaited<ReturnType<GitClient["lsFiles"]>>> {
    return this.#call((git) => git.lsFiles(options));
  }

  async lsTree(options: Parameters<GitClient["lsTree"]>[0]): Promise<Awaited<ReturnType<GitClient["lsTree"]>>> {
    return this.#call((git) => git.lsTree(options));
  }

  async branch(options: Parameters<GitClient["branch"]>[0]): Promise<Awaited<ReturnType<GitClient["branch"]>>> {
    return this.#call((git) => git.branch(options));
  }

  async branchDelete(
    options: Parameters<GitClient["branchDelete"]>[0],
  ): Promise<Awaited<ReturnType<GitClient["branchDelete"]>>> {
    return this.#call((git) => git.branchDelete(options));
  }

  async branchList(
    options?: Parameters<GitClient["branchList"]>[0],
  ): Promise<Awaited<ReturnType<GitClient["branchList"]>>> {
    return this.#call((git) => git.branchList(options));
  }

  async tag(options: Parameters<GitClient["tag"]>[0]): Promise<Awaited<ReturnType<GitClient["tag"]>>> {
    return this.#call((git) => git.tag(options));
  }

  async tagDelete(
    options: Parameters<GitClient["tagDelete"]>[0],
  ): Promise<Awaited<ReturnType<GitClient["tagDelete"]>>> {
    return this.#call((git) => git.tagDelete(options));
  }

  async tagList(options?: Parameters<GitClient["tagList"]>[0]): Promise<Awaited<ReturnType<GitClient["tagList"]>>> {
    return this.#call((git) => git.tagList(options));
  }

  async checkout(options: Parameters<GitClient["checkout"]>[0]): Promise<Awaited<ReturnType<GitClient["checkout"]>>> {
    return this.#call((git) => git.checkout(options));
  }

  async fetch(options?: Parameters<GitClient["fetch"]>[0]): Promise<Awaited<ReturnType<GitClient["fetch"]>>> {
    return this.#call((git) => git.fetch(options));
  }

  async push(options?: Parameters<GitClient["push"]>[0]): Promise<Awaited<ReturnType<GitClient["push"]>>> {
    return this.#call((git) => git.push(options));
  }

  async pull(options?: Parameters<GitClient["pull"]>[0]): Promise<Awaited<ReturnType<GitClient["pull"]>>> {
    return this.#call((git) => git.pull(options));
  }

  async merge(options: Parameters<GitClient["merge"]>[0]): Promise<Awaited<ReturnType<GitClient["merge"]>>> {
    return this.#call((git) => git.merge(options));
  }

  async remoteAdd(
    options: Parameters<GitClient["remoteAdd"]>[0],
  ): Promise<Awaited<ReturnType<GitClient["remoteAdd"]>>> {
    return this.#call((git) => git.remoteAdd(options));
  }

  async remoteRemove(
    options: Parameters<GitClient["remoteRemove"]>[0],
  ): Promise<Awaited<ReturnType<GitClient["remoteRemove"]>>> {
    return this.#call((git) => git.remoteRemove(options));
  }

  async remoteList(
    options?: Parameters<GitClient["remoteList"]>[0],
  ): Promise<Awaited<ReturnType<GitClient["remoteList"]>>> {
    return this.#call((git) => git.remoteList(options));
  }

  async hashObject(
    options: Parameters<GitClient["hashObject"]>[0],
  ): Promise<Awaited<ReturnType<GitClient["hashObject"]>>> {
    return this.#call((git) => git.hashObject(options));
  }

  async catFile(options: Parameters<GitClient["catFile"]>[0]): Promise<Awaited<ReturnType<GitClient["catFile"]>>> {
    return this.#call((git) => git.catFile(options));
  }

  async updateRef(
    options: Parameters<GitClient["updateRef"]>[0],
  ): Promise<Awaited<ReturnType<GitClient["updateRef"]>>> {
    return this.#call((git) => git.updateRef(options));
  }

  async configGet(
    options: Parameters<GitClient["configGet"]>[0],
  ): Promise<Awaited<ReturnType<GitClient["configGet"]>>> {
    return this.#call((git) => git.configGet(options));
  }

  async configSet(
    options: Parameters<GitClient["configSet"]>[0],
  ): Promise<Awaited<ReturnType<GitClient["configSet"]>>> {
    return this.#call((git) => git.configSet(options));
  }

  async stashPush(
    options?: Parameters<GitClient["stashPush"]>[0],
  ): Promise<Awaited<ReturnType<GitClient["stashPush"]>>> {
    return this.#call((git) => git.stashPush(options));
  }

  async stashList(
    options?: Parameters<GitClient["stashList"]>[0],
  ): Promise<Awaited<ReturnType<GitClient["stashList"]>>> {
    return this.#call((git) => git.stashList(options));
  }

  async stashPop(options?: Parameters<GitClient["stashPop"]>[0]): Promise<Awaited<ReturnType<GitClient["stashPop"]>>> {
    return this.#call((git) => git.stashPop(options));
  }

  async reset(options?: Parameters<GitClient["reset"]>[0]): Promise<Awaited<ReturnType<GitClient["reset"]>>> {
    return this.#call((git) => git.reset(options));
  }

  async clean(options?: Parameters<GitClient["clean"]>[0]): Promise<Awaited<ReturnType<GitClient["clean"]>>> {
    return this.#call((git) => git.clean(options));
  }

  async cli(options: Parameters<GitClient["cli"]>[0]): Promise<Awaited<ReturnType<GitClient["cli"]>>> {
    return this.#call((git) => git.cli(options));
  }

  /** A part of its workspace's stub, which is what counts. */
  [Symbol.dispose](): void {}

  async #call<T>(ask: (git: GitClient) => Promise<T>): Promise<T> {
    try {
      return await ask(this.#git);
    } catch (error) {
      throw toldGitError(error);
    }
  }
}

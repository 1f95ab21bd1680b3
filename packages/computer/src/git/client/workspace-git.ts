/** The client over a workspace's files. */

import { ConfinedStore, type InodeStore } from "@cloudflare/dofs";
import { absolutePath } from "../../files/absolute-path.ts";
import { type CliHost, type GitCliInput, type GitCliResult, runCli } from "../cli/run-cli.ts";
import { GitFiles } from "../files/git-files.ts";
import { GitError } from "../git-error.ts";
import { ObjectMemory } from "../objects/object-memory.ts";
import type { Fetch, Network } from "../remote/network.ts";
import type { Session } from "../remote/session.ts";
import { discover } from "../repository/discover.ts";
import type { GitIdentity } from "../repository/identity.ts";
import { Repository, type Surroundings } from "../repository/repository.ts";
import { add } from "../verbs/add.ts";
import { branch, branchDelete, branchList } from "../verbs/branch.ts";
import { catFile } from "../verbs/cat-file.ts";
import { checkout } from "../verbs/checkout.ts";
import { clean } from "../verbs/clean.ts";
import { clone } from "../verbs/clone.ts";
import { commit } from "../verbs/commit.ts";
import { configGet, configSet } from "../verbs/config.ts";
import { diff, diffSummary } from "../verbs/diff.ts";
import { fetch } from "../verbs/fetch.ts";
import { hashObject } from "../verbs/hash-object.ts";
import { init } from "../verbs/init.ts";
import { log } from "../verbs/log.ts";
import { lsFiles } from "../verbs/ls-files.ts";
import { lsTree } from "../verbs/ls-tree.ts";
import { merge } from "../verbs/merge.ts";
import { pull } from "../verbs/pull.ts";
import { push } from "../verbs/push.ts";
import { remoteAdd, remoteList, remoteRemove } from "../verbs/remote.ts";
import { reset } from "../verbs/reset.ts";
import { currentBranch, repoRoot, revParse } from "../verbs/rev-parse.ts";
import { rm } from "../verbs/rm.ts";
import { show } from "../verbs/show.ts";
import { stashList, stashPop, stashPush } from "../verbs/stash.ts";
import { status } from "../verbs/status.ts";
import { tag, tagDelete, tagList } from "../verbs/tag.ts";
import { updateRef } from "../verbs/update-ref.ts";
import type { GitClient } from "./git-client.ts";

const WORKSPACE = "/workspace";

export interface WorkspaceGitOptions {
  readonly store: InodeStore;
  /** Undefined where the network is off. */
  readonly fetch: Fetch | undefined;
  readonly identity?: GitIdentity | undefined;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/** What a method that needs no more than a repository is given. */
interface Here {
  readonly dir?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

export class WorkspaceGit implements GitClient {
  readonly #options: WorkspaceGitOptions;
  readonly #memory: ObjectMemory;

  constructor(options: WorkspaceGitOptions, memory: ObjectMemory = new ObjectMemory()) {
    this.#options = options;
    this.#memory = memory;
  }

  /** The same below one directory, which it cannot be led out of, and with the network only where it is allowed here too. */
  confined(options: { root: string; readOnly?: boolean | undefined; network?: boolean | undefined }): WorkspaceGit {
    const { root, readOnly, network = false } = options;
    const store = new ConfinedStore(this.#options.store, { root, readOnly });
    return new WorkspaceGit(
      { ...this.#options, store, fetch: network ? this.#options.fetch : undefined },
      this.#memory,
    );
  }

  clone: GitClient["clone"] = (options) => clone(this.#session(options), { ...options, dir: this.#directory(options) });
  fetch: GitClient["fetch"] = (options = {}) =>
    fetch(this.#session(options), { ...options, dir: this.#directory(options) });
  push: GitClient["push"] = (options = {}) =>
    push(this.#session(options), { ...options, dir: this.#directory(options) });
  pull: GitClient["pull"] = (options = {}) =>
    pull(this.#session(options), { ...options, dir: this.#directory(options) });

  diff: GitClient["diff"] = async (options = {}) =>
    this.#in(options, (repository, cwd) => diff(repository, { ...options, cwd }));
  diffSummary: GitClient["diffSummary"] = async (options = {}) =>
    this.#in(options, (repository, cwd) => diffSummary(repository, { ...options, cwd }));
  init: GitClient["init"] = async (options = {}) =>
    this.#step(() => void init(this.#surroundings({}, []), { ...options, dir: this.#directory(options) }));
  status: GitClient["status"] = async (options = {}) => this.#in(options, (repository) => status(repository));
  add: GitClient["add"] = async (options) =>
    this.#in(options, (repository, cwd) => add(repository, { ...options, cwd }));
  rm: GitClient["rm"] = async (options) => this.#in(options, (repository, cwd) => rm(repository, { ...options, cwd }));
  commit: GitClient["commit"] = async (options) => this.#in(options, (repository) => commit(repository, options));
  log: GitClient["log"] = async (options = {}) => this.#in(options, (repository) => log(repository, options));
  show: GitClient["show"] = async (options) => this.#in(options, (repository) => show(repository, options));
  revParse: GitClient["revParse"] = async (options) => this.#in(options, (repository) => revParse(repository, options));
  repoRoot: GitClient["repoRoot"] = async (options = {}) => this.#in(options, (repository) => repoRoot(repository));
  currentBranch: GitClient["currentBranch"] = async (options = {}) =>
    this.#in(options, (repository) => currentBranch(repository, options));
  lsFiles: GitClient["lsFiles"] = async (options = {}) =>
    this.#in(options, (repository) => lsFiles(repository, options));
  lsTree: GitClient["lsTree"] = async (options) => this.#in(options, (repository) => lsTree(repository, options));
  branch: GitClient["branch"] = async (options) => this.#in(options, (repository) => branch(repository, options));
  branchDelete: GitClient["branchDelete"] = async (options) =>
    this.#in(options, (repository) => branchDelete(repository, options));
  branchList: GitClient["branchList"] = async (options = {}) =>
    this.#in(options, (repository) => branchList(repository));
  tag: GitClient["tag"] = async (options) => this.#in(options, (repository) => tag(repository, options));
  tagDelete: GitClient["tagDelete"] = async (options) =>
    this.#in(options, (repository) => tagDelete(repository, options));
  tagList: GitClient["tagList"] = async (options = {}) => this.#in(options, (repository) => tagList(repository));
  checkout: GitClient["checkout"] = async (options) =>
    this.#in(options, (repository, cwd) => checkout(repository, { ...options, cwd }));
  merge: GitClient["merge"] = async (options) => settled(this.#in(options, (repository) => merge(repository, options)));
  remoteAdd: GitClient["remoteAdd"] = async (options) =>
    this.#in(options, (repository) => remoteAdd(repository, options));
  remoteRemove: GitClient["remoteRemove"] = async (options) =>
    this.#in(options, (repository) => remoteRemove(repository, options));
  remoteList: GitClient["remoteList"] = async (options = {}) =>
    this.#in(options, (repository) => remoteList(repository));
  hashObject: GitClient["hashObject"] = async (options) =>
    this.#in(options, (repository) => hashObject(repository, options));
  catFile: GitClient["catFile"] = async (options) => this.#in(options, (repository) => catFile(repository, options));
  updateRef: GitClient["updateRef"] = async (options) =>
    this.#in(options, (repository) => updateRef(repository, options));
  configGet: GitClient["configGet"] = async (options) =>
    this.#in(options, (repository) => configGet(repository, options));
  configSet: GitClient["configSet"] = async (options) =>
    this.#in(options, (repository) => configSet(repository, options));
  stashPush: GitClient["stashPush"] = async (options = {}) =>
    this.#in(options, (repository) => stashPush(repository, options));
  stashList: GitClient["stashList"] = async (options = {}) => this.#in(options, (repository) => stashList(repository));
  stashPop: GitClient["stashPop"] = async (options = {}) =>
    settled(this.#in(options, (repository) => stashPop(repository, options)));
  reset: GitClient["reset"] = async (options = {}) =>
    this.#in(options, (repository, cwd) => reset(repository, { ...options, cwd }));
  clean: GitClient["clean"] = async (options = {}) => this.#in(options, (repository) => clean(repository, options));

  async cli(input: GitCliInput): Promise<GitCliResult> {
    return runCli(this.#host({}), input);
  }

  /** Works in the repository of a directory as one step. */
  #in<T>(options: Here, work: (repository: Repository, cwd: string) => T): T {
    return this.#step(() => {
      const surroundings = this.#surroundings(options.env ?? {}, []);
      const cwd = surroundings.files.real(this.#directory(options));
      const repository = new Repository(discover(surroundings.files, cwd), surroundings);
      const result = work(repository, cwd);
      repository.save();
      return result;
    });
  }

  #step<T>(work: () => T): T {
    try {
      return this.#options.store.transaction(work);
    } finally {
      this.#memory.rest();
    }
  }

  #directory({ dir }: { dir?: string | undefined }): string {
    return absolutePath(WORKSPACE, dir ?? WORKSPACE);
  }

  #surroundings(env: Readonly<Record<string, string>>, settings: readonly string[]): Surroundings {
    const { store, identity, now = Date.now } = this.#options;
    return { files: new GitFiles(store), memory: this.#memory, env, settings, identity, now };
  }

  #session(options: Here & Partial<Omit<Network, "fetch">>): Session {
    const { network, step } = this.#host(options);
    const surroundings = this.#surroundings(options.env ?? {}, []);
    const { files } = surroundings;
    const open = (): Repository => {
      files.forget();
      return new Repository(discover(files, files.real(this.#directory(options))), surroundings);
    };
    return { network, step, surroundings, open };
  }

  #host(options: Partial<Omit<Network, "fetch">>): CliHost {
    const { headers, onAuth, onProgress, onMessage, corsProxy } = options;
    return {
      network: { fetch: this.#options.fetch, headers, onAuth, onProgress, onMessage, corsProxy },
      surroundings: (env, settings) => this.#surroundings(env, settings),
      step: (work) => this.#step(work),
    };
  }
}

/** What a step gave that is kept even though it failed. */
function settled<T>(result: T | GitError): T {
  if (result instanceof GitError) throw result;
  return result;
}

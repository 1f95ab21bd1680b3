/** A git client of which each call goes somewhere else. */

import type { GitClient } from "./git-client.ts";

/** Each method asks the client that `call` hands it, whenever it does. */
export function forwardingGit(call: <T>(ask: (git: GitClient) => Promise<T>) => Promise<T>): GitClient {
  return {
    clone: (options) => call((git) => git.clone(options)),
    diff: (options) => call((git) => git.diff(options)),
    diffSummary: (options) => call((git) => git.diffSummary(options)),
    init: (options) => call((git) => git.init(options)),
    status: (options) => call((git) => git.status(options)),
    add: (options) => call((git) => git.add(options)),
    rm: (options) => call((git) => git.rm(options)),
    commit: (options) => call((git) => git.commit(options)),
    log: (options) => call((git) => git.log(options)),
    show: (options) => call((git) => git.show(options)),
    revParse: (options) => call((git) => git.revParse(options)),
    repoRoot: (options) => call((git) => git.repoRoot(options)),
    currentBranch: (options) => call((git) => git.currentBranch(options)),
    lsFiles: (options) => call((git) => git.lsFiles(options)),
    lsTree: (options) => call((git) => git.lsTree(options)),
    branch: (options) => call((git) => git.branch(options)),
    branchDelete: (options) => call((git) => git.branchDelete(options)),
    branchList: (options) => call((git) => git.branchList(options)),
    tag: (options) => call((git) => git.tag(options)),
    tagDelete: (options) => call((git) => git.tagDelete(options)),
    tagList: (options) => call((git) => git.tagList(options)),
    checkout: (options) => call((git) => git.checkout(options)),
    fetch: (options) => call((git) => git.fetch(options)),
    push: (options) => call((git) => git.push(options)),
    pull: (options) => call((git) => git.pull(options)),
    merge: (options) => call((git) => git.merge(options)),
    remoteAdd: (options) => call((git) => git.remoteAdd(options)),
    remoteRemove: (options) => call((git) => git.remoteRemove(options)),
    remoteList: (options) => call((git) => git.remoteList(options)),
    hashObject: (options) => call((git) => git.hashObject(options)),
    catFile: (options) => call((git) => git.catFile(options)),
    updateRef: (options) => call((git) => git.updateRef(options)),
    configGet: (options) => call((git) => git.configGet(options)),
    configSet: (options) => call((git) => git.configSet(options)),
    stashPush: (options) => call((git) => git.stashPush(options)),
    stashList: (options) => call((git) => git.stashList(options)),
    stashPop: (options) => call((git) => git.stashPop(options)),
    reset: (options) => call((git) => git.reset(options)),
    clean: (options) => call((git) => git.clean(options)),
    cli: (options) => call((git) => git.cli(options)),
  };
}

/** The typed client: each verb a method that takes and gives plain data. */

import type { GitCliInput, GitCliResult } from "../cli/run-cli.ts";
import type { GitAddOptions } from "../verbs/add.ts";
import type { GitBranchDeleteOptions, GitBranchListOptions, GitBranchOptions } from "../verbs/branch.ts";
import type { CatFileResult, GitCatFileOptions } from "../verbs/cat-file.ts";
import type { GitCheckoutOptions } from "../verbs/checkout.ts";
import type { CleanOptions } from "../verbs/clean.ts";
import type { GitCloneOptions } from "../verbs/clone.ts";
import type { CommitResult, GitCommitOptions } from "../verbs/commit.ts";
import type { GitConfigGetOptions, GitConfigSetOptions } from "../verbs/config.ts";
import type { DiffSummaryEntry, GitDiffOptions } from "../verbs/diff.ts";
import type { FetchResult, GitFetchOptions } from "../verbs/fetch.ts";
import type { GitHashObjectOptions } from "../verbs/hash-object.ts";
import type { GitInitOptions } from "../verbs/init.ts";
import type { CommitView, GitLogOptions } from "../verbs/log.ts";
import type { GitLsFilesOptions } from "../verbs/ls-files.ts";
import type { GitLsTreeOptions, TreeEntryView } from "../verbs/ls-tree.ts";
import type { GitMergeOptions, MergeResult } from "../verbs/merge.ts";
import type { GitPullOptions } from "../verbs/pull.ts";
import type { GitPushOptions, PushResult } from "../verbs/push.ts";
import type { GitRemoteAddOptions, GitRemoteListOptions, GitRemoteRemoveOptions, RemoteView } from "../verbs/remote.ts";
import type { ResetOptions } from "../verbs/reset.ts";
import type { GitCurrentBranchOptions, GitRepoRootOptions, GitRevParseOptions } from "../verbs/rev-parse.ts";
import type { GitRmOptions } from "../verbs/rm.ts";
import type { GitShowOptions } from "../verbs/show.ts";
import type { StashPopOptions, StashPushOptions } from "../verbs/stash.ts";
import type { StatusEntry } from "../verbs/status.ts";
import type { GitTagDeleteOptions, GitTagListOptions, GitTagOptions } from "../verbs/tag.ts";
import type { GitUpdateRefOptions } from "../verbs/update-ref.ts";

export interface GitStatusOptions {
  dir?: string | undefined;
}

/** A path with what HEAD, the work tree and the index have of it, as isomorphic-git numbers them. */
export type StatusRow = [filepath: string, headStatus: number, workdirStatus: number, stageStatus: number];

export interface BaseWorktreeOptions {
  dir?: string | undefined;
}

/**
 * Git over a workspace's files. `dir` is the work tree or a directory in it, by default `/workspace`; paths are relative to it or absolute.
 * Everything that changes a repository happens as a whole or not at all, but for a merge that stops at a conflict (`ECONFLICT`), which leaves
 * it to be resolved. Errors are `GitError`s with a `code`.
 *
 * @example
 * await workspace.git.clone({ url: "https://example.org/repo.git", dir: "/workspace/repo", depth: 1 });
 * await workspace.git.add({ dir: "/workspace/repo", paths: ["."] });
 * await workspace.git.commit({ dir: "/workspace/repo", message: "Say hello" });
 */
export interface GitClient {
  clone(options: GitCloneOptions): Promise<void>;
  diff(options?: GitDiffOptions): Promise<string>;
  diffSummary(options?: GitDiffOptions): Promise<DiffSummaryEntry[]>;
  init(options?: GitInitOptions): Promise<void>;
  status(options?: GitStatusOptions): Promise<StatusEntry[]>;
  add(options: GitAddOptions): Promise<void>;
  rm(options: GitRmOptions): Promise<void>;
  commit(options: GitCommitOptions): Promise<CommitResult>;
  log(options?: GitLogOptions): Promise<CommitView[]>;
  show(options: GitShowOptions): Promise<CommitView>;
  revParse(options: GitRevParseOptions): Promise<string>;
  repoRoot(options?: GitRepoRootOptions): Promise<string>;
  currentBranch(options?: GitCurrentBranchOptions): Promise<string | undefined>;
  lsFiles(options?: GitLsFilesOptions): Promise<string[]>;
  lsTree(options: GitLsTreeOptions): Promise<TreeEntryView[]>;
  branch(options: GitBranchOptions): Promise<void>;
  branchDelete(options: GitBranchDeleteOptions): Promise<void>;
  branchList(options?: GitBranchListOptions): Promise<string[]>;
  tag(options: GitTagOptions): Promise<void>;
  tagDelete(options: GitTagDeleteOptions): Promise<void>;
  tagList(options?: GitTagListOptions): Promise<string[]>;
  checkout(options: GitCheckoutOptions): Promise<void>;
  fetch(options?: GitFetchOptions): Promise<FetchResult>;
  push(options?: GitPushOptions): Promise<PushResult>;
  pull(options?: GitPullOptions): Promise<void>;
  merge(options: GitMergeOptions): Promise<MergeResult>;
  remoteAdd(options: GitRemoteAddOptions): Promise<void>;
  remoteRemove(options: GitRemoteRemoveOptions): Promise<void>;
  remoteList(options?: GitRemoteListOptions): Promise<RemoteView[]>;
  hashObject(options: GitHashObjectOptions): Promise<string>;
  catFile(options: GitCatFileOptions): Promise<CatFileResult>;
  updateRef(options: GitUpdateRefOptions): Promise<void>;
  configGet(options: GitConfigGetOptions): Promise<string | string[] | undefined>;
  configSet(options: GitConfigSetOptions): Promise<void>;
  stashPush(options?: StashPushOptions): Promise<void>;
  stashList(options?: BaseWorktreeOptions): Promise<string[]>;
  stashPop(options?: StashPopOptions): Promise<void>;
  reset(options?: ResetOptions): Promise<void>;
  clean(options?: CleanOptions): Promise<string[]>;
  /** A command line as git has them; it never throws for what git refuses. */
  cli(input: GitCliInput): Promise<GitCliResult>;
}

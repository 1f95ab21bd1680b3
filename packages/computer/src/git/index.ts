/** Git over a workspace's files. */

export type { GitCliInput, GitCliResult } from "./cli/run-cli.ts";
export {
  type CreateGitClientOptions,
  createGitClient,
  type GitClientFactory,
  type IsomorphicGitFSClient,
  type WorkspaceGitClientOptions,
  type WorkspaceLike,
} from "./client/create-git-client.ts";
export type { BaseWorktreeOptions, GitClient, GitStatusOptions, StatusRow } from "./client/git-client.ts";
export {
  AlreadyInitializedError,
  CommandFailure,
  GitError,
  MissingIdentityError,
  NotARepositoryError,
  PathOutsideRepoError,
  PathspecNotFoundError,
  UnsupportedError,
} from "./git-error.ts";
export type { AuthCallback, Fetch, GitAuth, MessageCallback, ProgressCallback } from "./remote/network.ts";
export type { GitIdentity } from "./repository/identity.ts";
export type { GitAddOptions } from "./verbs/add.ts";
export type { GitBranchDeleteOptions, GitBranchListOptions, GitBranchOptions } from "./verbs/branch.ts";
export type { CatFileResult, GitCatFileOptions } from "./verbs/cat-file.ts";
export type { GitCheckoutOptions } from "./verbs/checkout.ts";
export type { CleanOptions } from "./verbs/clean.ts";
export type { GitCloneOptions } from "./verbs/clone.ts";
export type { CommitResult, GitCommitOptions } from "./verbs/commit.ts";
export type { GitConfigGetOptions, GitConfigSetOptions } from "./verbs/config.ts";
export type { DiffSummaryEntry, GitDiffOptions } from "./verbs/diff.ts";
export type { FetchResult, GitFetchOptions } from "./verbs/fetch.ts";
export type { GitHashObjectOptions } from "./verbs/hash-object.ts";
export type { GitInitOptions } from "./verbs/init.ts";
export type { CommitView, GitLogOptions, GitPerson } from "./verbs/log.ts";
export type { GitLsFilesOptions } from "./verbs/ls-files.ts";
export type { GitLsTreeOptions, TreeEntryView } from "./verbs/ls-tree.ts";
export type { GitMergeOptions, MergeResult } from "./verbs/merge.ts";
export type { GitPullOptions } from "./verbs/pull.ts";
export type { GitPushOptions, PushResult, RefUpdateStatus } from "./verbs/push.ts";
export type { GitRemoteAddOptions, GitRemoteListOptions, GitRemoteRemoveOptions, RemoteView } from "./verbs/remote.ts";
export type { ResetOptions } from "./verbs/reset.ts";
export type { GitCurrentBranchOptions, GitRepoRootOptions, GitRevParseOptions } from "./verbs/rev-parse.ts";
export type { GitRmOptions } from "./verbs/rm.ts";
export type { GitShowOptions } from "./verbs/show.ts";
export type { StashPopOptions, StashPushOptions } from "./verbs/stash.ts";
export type { StatusEntry } from "./verbs/status.ts";
export type { GitTagDeleteOptions, GitTagListOptions, GitTagOptions } from "./verbs/tag.ts";
export type { GitUpdateRefOptions } from "./verbs/update-ref.ts";

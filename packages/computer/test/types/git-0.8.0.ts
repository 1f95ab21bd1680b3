/** Compile-only: the names and members of the API of 0.8.0 that are about git. */

import * as computer from "@cloudflare/computer";
import * as shell from "@cloudflare/computer/backends/worker-shell";
import * as git from "@cloudflare/computer/git";
import * as gitModule from "@cloudflare/computer/modules/git";

export type computer_LazyWorkspaceClient = Pick<computer.LazyWorkspaceClient, "git">;
export type computer_Workspace = Pick<computer.Workspace, "git">;
export type computer_WorkspaceClient = Pick<computer.WorkspaceClient, "git">;
export type computer_WorkspaceGitFactory = computer.WorkspaceGitFactory;
void computer.WorkspaceGitStub;
export type computer_WorkspaceGitStub = Pick<computer.WorkspaceGitStub, "cli">;
export type computer_WorkspaceModuleHost = Pick<computer.WorkspaceModuleHost, "git">;
export type computer_WorkspaceOptions = Pick<computer.WorkspaceOptions, "git" | "defaultGitIdentity">;
export type computer_WorkspaceStub = Pick<computer.WorkspaceStub, "git">;
export type shell_GitCommandHost = Pick<shell.GitCommandHost, "git">;
void shell.defineGitCommand;

// ./git
void git.AlreadyInitializedError;
export type git_AlreadyInitializedError = Pick<InstanceType<typeof git.AlreadyInitializedError>, "code">;
export type git_AuthCallback = git.AuthCallback;
export type git_BaseWorktreeOptions = Pick<git.BaseWorktreeOptions, "dir">;
export type git_CatFileResult = Pick<git.CatFileResult, "oid" | "bytes" | "type">;
export type git_CleanOptions = Pick<git.CleanOptions, "directories" | "dryRun" | "dir">;
export type git_CommitResult = Pick<git.CommitResult, "oid">;
export type git_CommitView = Pick<git.CommitView, "oid" | "message" | "tree" | "parent" | "author" | "committer">;
export type git_CreateGitClientOptions = Pick<git.CreateGitClientOptions, "adapter">;
export type git_DiffSummaryEntry = Pick<git.DiffSummaryEntry, "path" | "status" | "insertions" | "deletions">;
export type git_FetchResult = Pick<git.FetchResult, "defaultBranch" | "fetchHead">;
export type git_GitAddOptions = Pick<git.GitAddOptions, "dir" | "paths" | "force" | "all" | "trackedOnly">;
export type git_GitAuth = Pick<git.GitAuth, "username" | "password" | "headers">;
export type git_GitBranchDeleteOptions = Pick<git.GitBranchDeleteOptions, "dir" | "name">;
export type git_GitBranchListOptions = Pick<git.GitBranchListOptions, "dir">;
export type git_GitBranchOptions = Pick<git.GitBranchOptions, "dir" | "name" | "startPoint" | "checkout" | "force">;
export type git_GitCatFileOptions = Pick<git.GitCatFileOptions, "dir" | "oid" | "filepath">;
export type git_GitCheckoutOptions = Pick<git.GitCheckoutOptions, "dir" | "ref" | "paths" | "force">;
export type git_GitCliInput = Pick<git.GitCliInput, "argv" | "cwd" | "env" | "stdin">;
export type git_GitCliResult = Pick<git.GitCliResult, "stdout" | "stderr" | "exitCode">;
export type git_GitClient = Pick<
  git.GitClient,
  | "clone"
  | "diff"
  | "diffSummary"
  | "init"
  | "status"
  | "add"
  | "rm"
  | "commit"
  | "log"
  | "show"
  | "revParse"
  | "repoRoot"
  | "currentBranch"
  | "lsFiles"
  | "lsTree"
  | "branch"
  | "branchDelete"
  | "branchList"
  | "tag"
  | "tagDelete"
  | "tagList"
  | "checkout"
  | "fetch"
  | "push"
  | "pull"
  | "merge"
  | "remoteAdd"
  | "remoteRemove"
  | "remoteList"
  | "hashObject"
  | "catFile"
  | "updateRef"
  | "configGet"
  | "configSet"
  | "stashPush"
  | "stashList"
  | "stashPop"
  | "reset"
  | "clean"
  | "cli"
>;
export type git_GitClientFactory = git.GitClientFactory;
export type git_GitCloneOptions = Pick<
  git.GitCloneOptions,
  | "url"
  | "dir"
  | "ref"
  | "paths"
  | "depth"
  | "singleBranch"
  | "noTags"
  | "headers"
  | "corsProxy"
  | "onProgress"
  | "onMessage"
>;
export type git_GitCommitOptions = Pick<
  git.GitCommitOptions,
  "dir" | "message" | "author" | "committer" | "amend" | "env"
>;
export type git_GitConfigGetOptions = Pick<git.GitConfigGetOptions, "dir" | "path" | "all">;
export type git_GitConfigSetOptions = Pick<git.GitConfigSetOptions, "dir" | "path" | "value" | "append">;
export type git_GitCurrentBranchOptions = Pick<git.GitCurrentBranchOptions, "fullname" | "dir">;
export type git_GitDiffOptions = Pick<git.GitDiffOptions, "dir" | "ref" | "to" | "paths">;
void git.GitError;
export type git_GitError = Pick<InstanceType<typeof git.GitError>, "code">;
export type git_GitFetchOptions = Pick<
  git.GitFetchOptions,
  | "dir"
  | "remote"
  | "url"
  | "ref"
  | "remoteRef"
  | "depth"
  | "singleBranch"
  | "tags"
  | "prune"
  | "headers"
  | "onAuth"
  | "onProgress"
  | "onMessage"
>;
export type git_GitHashObjectOptions = Pick<git.GitHashObjectOptions, "dir" | "content" | "write">;
export type git_GitIdentity = Pick<git.GitIdentity, "name" | "email">;
export type git_GitInitOptions = Pick<git.GitInitOptions, "dir" | "defaultBranch" | "bare">;
export type git_GitLogOptions = Pick<git.GitLogOptions, "ref" | "depth" | "dir">;
export type git_GitLsFilesOptions = Pick<git.GitLsFilesOptions, "ref" | "dir">;
export type git_GitLsTreeOptions = Pick<git.GitLsTreeOptions, "ref" | "path" | "dir">;
export type git_GitMergeOptions = Pick<
  git.GitMergeOptions,
  "dir" | "theirs" | "ours" | "fastForward" | "fastForwardOnly" | "message" | "author" | "committer" | "env"
>;
export type git_GitPullOptions = Pick<
  git.GitPullOptions,
  | "dir"
  | "remote"
  | "url"
  | "ref"
  | "remoteRef"
  | "fastForward"
  | "fastForwardOnly"
  | "singleBranch"
  | "headers"
  | "onAuth"
  | "onProgress"
  | "onMessage"
  | "author"
  | "committer"
  | "env"
>;
export type git_GitPushOptions = Pick<
  git.GitPushOptions,
  | "dir"
  | "remote"
  | "url"
  | "ref"
  | "remoteRef"
  | "force"
  | "delete"
  | "headers"
  | "onAuth"
  | "onProgress"
  | "onMessage"
>;
export type git_GitRemoteAddOptions = Pick<git.GitRemoteAddOptions, "dir" | "name" | "url" | "force">;
export type git_GitRemoteListOptions = Pick<git.GitRemoteListOptions, "dir">;
export type git_GitRemoteRemoveOptions = Pick<git.GitRemoteRemoveOptions, "dir" | "name">;
export type git_GitRepoRootOptions = Pick<git.GitRepoRootOptions, "dir">;
export type git_GitRevParseOptions = Pick<git.GitRevParseOptions, "ref" | "dir">;
export type git_GitRmOptions = Pick<git.GitRmOptions, "dir" | "paths">;
export type git_GitShowOptions = Pick<git.GitShowOptions, "ref" | "dir">;
export type git_GitStatusOptions = Pick<git.GitStatusOptions, "dir">;
export type git_GitTagDeleteOptions = Pick<git.GitTagDeleteOptions, "dir" | "name">;
export type git_GitTagListOptions = Pick<git.GitTagListOptions, "dir">;
export type git_GitTagOptions = Pick<git.GitTagOptions, "dir" | "name" | "object" | "force">;
export type git_GitUpdateRefOptions = Pick<git.GitUpdateRefOptions, "dir" | "ref" | "value" | "force" | "symbolic">;
export type git_MergeResult = Pick<git.MergeResult, "oid" | "alreadyMerged" | "fastForward">;
export type git_MessageCallback = git.MessageCallback;
void git.MissingIdentityError;
export type git_MissingIdentityError = Pick<InstanceType<typeof git.MissingIdentityError>, "code">;
void git.NotARepositoryError;
export type git_NotARepositoryError = Pick<InstanceType<typeof git.NotARepositoryError>, "code">;
void git.PathOutsideRepoError;
export type git_PathOutsideRepoError = Pick<InstanceType<typeof git.PathOutsideRepoError>, "code">;
void git.PathspecNotFoundError;
export type git_PathspecNotFoundError = Pick<InstanceType<typeof git.PathspecNotFoundError>, "code">;
export type git_ProgressCallback = git.ProgressCallback;
export type git_PushResult = Pick<git.PushResult, "ok" | "error" | "refs">;
export type git_RefUpdateStatus = Pick<git.RefUpdateStatus, "ok" | "error">;
export type git_RemoteView = Pick<git.RemoteView, "name" | "url">;
export type git_ResetOptions = Pick<git.ResetOptions, "paths" | "hard" | "ref" | "dir">;
export type git_StashPopOptions = Pick<git.StashPopOptions, "index" | "dir">;
export type git_StashPushOptions = Pick<git.StashPushOptions, "message" | "dir">;
export type git_StatusEntry = Pick<git.StatusEntry, "path" | "index" | "worktree">;
export type git_StatusRow = git.StatusRow;
export type git_TreeEntryView = Pick<git.TreeEntryView, "mode" | "path" | "oid" | "type">;
export type git_WorkspaceGitClientOptions = Pick<git.WorkspaceGitClientOptions, "ws" | "defaultIdentity">;
export type git_WorkspaceLike = Pick<git.WorkspaceLike, "provider">;
void git.createGitClient;

// ./modules/git
export type gitModule_GitModuleOptions = Pick<gitModule.GitModuleOptions, "allowNetwork">;
void gitModule.createGitModule;
